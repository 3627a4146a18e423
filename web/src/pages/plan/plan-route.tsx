/** The Plan page: its heading at once, everything else when it is opened first, to keep the first load small. */

import { FileCheck, NotebookPen } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { words } from "../../locale/words";
import { HANDOUT_PATHS } from "../../routes";
import { usePageTitle } from "../../shell/page";
import { strings } from "../../strings";
import { Awaited, late, useLate } from "../../ui/late";

/** What is said while the Plan page itself is being fetched. */
export const planRoute = words("planRoute", {
  handouts: "Handouts",
  loading: "Opening the Plan page…",
  failed: "The Plan page could not be loaded",
  failedHint: "Paige may have been updated or stopped. Try again, or reload the page.",
});

const PAGE = late(() => import("./plan-page"));

export function PlanRoute(): ReactNode {
  usePageTitle(strings.doors.plan);
  const { part: page, state, retry } = useLate(PAGE);
  return (
    <div data-plan data-fills data-door="plan" className="flex flex-col lg:h-[calc(100dvh-4rem)] lg:min-h-120">
      <div data-unprinted className="flex items-center gap-3 max-lg:pb-2 lg:border-b lg:border-line lg:px-3 lg:py-1.5">
        {page !== null && <page.WorkspaceToggle />}
        {/* It stays when the rest arrives, and so does the focus that a link has put on it. */}
        <h1 tabIndex={-1} className="flex items-center gap-2.5 text-2xl">
          <NotebookPen aria-hidden className="size-6 shrink-0 text-door-ink" />
          {strings.doors.plan}
        </h1>
        {page !== null && <page.NewRequestButton />}
        <Link href={HANDOUT_PATHS.list} className="inline-flex min-h-11 min-w-11 items-center justify-center gap-2 px-2 font-semibold text-accent hover:underline">
          <FileCheck aria-hidden className="size-5" />
          <span className="max-sm:sr-only">{planRoute.handouts}</span>
        </Link>
      </div>
      {page !== null && <page.PlanPage />}
      <Awaited state={state} retry={retry} words={planRoute} className="m-6 h-96" />
    </div>
  );
}
