/** One kata: the task, the editor, constraints, and what Paige says about the solution. */

import { Dumbbell } from "lucide-react";
import { type ReactNode, useCallback, useEffect } from "react";
import { useStore } from "zustand";

import { useServices } from "../../../services";
import { coachStrings } from "../../../strings-coach";
import { coachRoute } from "../../../strings-coach-route";
import { BackLink } from "../../../ui/back-link";
import { DoorFrame } from "../../../ui/door-frame";
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
    <DoorFrame door="coach" icon={Dumbbell} heading={title} isSmall>
      <BackLink href="/coach">{text.back}</BackLink>
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
    </DoorFrame>
  );
}
