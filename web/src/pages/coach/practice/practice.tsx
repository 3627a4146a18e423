/** One kata: the task, the editor, constraints, and what Paige says about the solution. */

import { ArrowLeft } from "lucide-react";
import { type ReactNode, useCallback, useEffect } from "react";
import { Link } from "wouter";
import { useStore } from "zustand";

import { Page } from "../../../layout/page";
import { useServices } from "../../../services";
import { coachStrings } from "../../../strings-coach";
import { coachRoute } from "../../../strings-coach-route";
import { ErrorPanel } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { ids } from "../state/asking";
import { useKata } from "../state/kata";
import { KataDesk } from "./kata-desk";

const text = coachStrings.practice;

export function Practice({ id }: { id: string }): ReactNode {
  const { connection, connectionState } = useServices();
  const isOpen = useStore(connectionState, ({ name }) => name === "open");
  const loaded = useKata((kata) => kata.loaded);
  const ask = useCallback(() => {
    useKata.getState().open(id);
    connection.send({ type: "practice:open", payload: { kataId: id }, id: ids.kata(id) });
  }, [connection, id]);
  useEffect(() => {
    if (isOpen) ask();
  }, [isOpen, ask]);
  const title = loaded.state === "answered" ? loaded.answer.kata.title : coachRoute.practice;
  return (
    <Page title={title}>
      <Link href="/coach" className="mt-2 inline-flex min-h-11 items-center gap-2 font-semibold text-accent underline-offset-4 hover:underline">
        <ArrowLeft aria-hidden className="size-4" />
        {text.back}
      </Link>
      {loaded.state === "failed" && <ErrorPanel title={text.failed} message={loaded.message} hint={loaded.hint} onRetry={ask} />}
      {(loaded.state === "none" || loaded.state === "asking") && (
        <Loading label={text.loading}>
          <div className="mt-4 grid gap-8 xl:grid-cols-2">
            <Skeleton className="h-64" />
            <Skeleton className="h-96" />
          </div>
        </Loading>
      )}
      {loaded.state === "answered" && <KataDesk loaded={loaded.answer} />}
    </Page>
  );
}
