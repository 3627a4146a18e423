/** The Guard page: its heading at once, everything else when it is opened first, to keep the first load small. */

import { ShieldCheck } from "lucide-react";
import type { ReactNode } from "react";

import { useSetup } from "../../api/hooks";
import { usePageTitle } from "../../layout/page";
import { strings } from "../../strings";
import { guardRoute } from "../../strings-guard-route";
import { Awaited } from "../../ui/awaited";
import { late, useLate } from "../../ui/late";
import { Marked } from "../../ui/marked";

const PAGE = late(() => import("./guard-page"));

export function GuardRoute(): ReactNode {
  usePageTitle(strings.doors.guard);
  const door = useSetup().data?.doors.find(({ id }) => id === "guard");
  return (
    <div data-door="guard">
      <div className="cover flex flex-wrap items-center gap-x-8 gap-y-4 py-5 pr-6 pl-10 sm:pl-12">
        <div className="label inline-flex items-center gap-4 px-6 py-4">
          <ShieldCheck aria-hidden className="size-8 shrink-0 text-door-ink" />
          <div>
            <h1 tabIndex={-1} className="text-3xl">
              {strings.doors.guard}
            </h1>
            {door !== undefined && <p className="text-ink-soft">{door.audience}</p>}
          </div>
        </div>
        {door !== undefined && <Marked className="block max-w-md min-w-56 flex-1 max-sm:hidden" text={door.summary} />}
      </div>
      <Content />
    </div>
  );
}

function Content(): ReactNode {
  const { part, state, retry } = useLate(PAGE);
  if (part !== null) return <part.GuardPage />;
  return <Awaited state={state} retry={retry} words={guardRoute} className="mt-8 h-96" />;
}
