/** The Plan page: its heading at once, everything else when it is opened first, to keep the first load small. */

import { NotebookPen } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";

import { usePageTitle } from "../../layout/page";
import { strings } from "../../strings";
import { planRoute } from "../../strings-plan-route";
import { ErrorPanel } from "../../ui/error-panel";
import { Loading, Skeleton } from "../../ui/skeleton";

let parts: typeof import("./plan-page") | null = null;

export function PlanRoute(): ReactNode {
  usePageTitle(strings.doors.plan);
  const [state, setState] = useState<"loading" | "failed" | "ready">(parts === null ? "loading" : "ready");
  useEffect(() => {
    if (state !== "loading") return;
    let isLeft = false;
    void fetchParts().then((areThere) => {
      if (!isLeft) setState(areThere ? "ready" : "failed");
    });
    return () => {
      isLeft = true;
    };
  }, [state]);
  const page = state === "ready" ? parts : null;
  return (
    <div data-plan data-door="plan" className="flex flex-col lg:h-[calc(100dvh-4rem)] lg:min-h-120">
      <div data-unprinted className="flex items-center gap-3 max-lg:pb-2 lg:border-b lg:border-line lg:px-3 lg:py-1.5">
        {page !== null && <page.WorkspaceToggle />}
        {/* It stays when the rest arrives, and so does the focus that a link has put on it. */}
        <h1 tabIndex={-1} className="flex items-center gap-2.5 text-2xl">
          <NotebookPen aria-hidden className="size-6 shrink-0 text-door-ink" />
          {strings.doors.plan}
        </h1>
        {page !== null && <page.NewRequestButton />}
      </div>
      {page !== null && <page.PlanPage />}
      {state === "loading" && (
        <Loading label={planRoute.loading}>
          <Skeleton className="m-6 h-96" />
        </Loading>
      )}
      {state === "failed" && (
        <ErrorPanel
          title={planRoute.failed}
          message={planRoute.failedHint}
          onRetry={() => {
            setState("loading");
          }}
        />
      )}
    </div>
  );
}

async function fetchParts(): Promise<boolean> {
  try {
    parts = await import("./plan-page");
    return true;
  } catch {
    return false;
  }
}
