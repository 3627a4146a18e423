/** Issues of the project, judged for the person: whether they fit, and why. */

import { clsx } from "clsx";
import { CircleCheck, CircleHelp, MoveUpRight, OctagonAlert, RotateCw } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef } from "react";
import { useLocation } from "wouter";

import { useServices } from "../../../services";
import { Button } from "../../../ui/button";
import { EmptyLine } from "../../../ui/data/answered";
import { Card, Fact, Facts, Mark } from "../../../ui/data/facts";
import { ErrorPanel } from "../../../ui/error-panel";
import { Marked } from "../../../ui/marked";
import { Section } from "../../../ui/section";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { RankedIssue } from "../../../wire/generated";
import { useCoachActions } from "../state/actions";
import { ids } from "../state/session";
import { useDashboard } from "../state/stores";
import { coachStrings } from "../strings";

const text = coachStrings.dashboard;

const FITS = {
  good_fit: { icon: CircleCheck, tone: "ok" },
  stretch: { icon: MoveUpRight, tone: "warn" },
  too_advanced: { icon: OctagonAlert, tone: "fail" },
  unknown: { icon: CircleHelp, tone: "soft" },
} as const satisfies Record<RankedIssue["suitability"], unknown>;

export function Issues(): ReactNode {
  const issues = useDashboard((dashboard) => dashboard.issues);
  const { ask } = useCoachActions();
  const refresh = (): void => {
    if (ask({ type: "dashboard:refresh_issues", payload: {}, id: ids.dashboard })) {
      useDashboard.setState({ issues: { state: "asking" } });
    }
  };
  const isAsking = issues.state === "asking";
  return (
    <Section
      heading={text.issues}
     
      aside={
        issues.state !== "failed" && (
          <Button look="quiet" disabled={isAsking} onClick={refresh}>
            <RotateCw aria-hidden className={clsx("size-4", isAsking && "animate-spin")} />
            {text.again}
          </Button>
        )
      }
    >
      <IssueList refresh={refresh} />
    </Section>
  );
}

function IssueList({ refresh }: { refresh: () => void }): ReactNode {
  const issues = useDashboard((dashboard) => dashboard.issues);
  switch (issues.state) {
    case "none":
    case "asking":
      return (
        <Loading label={text.issuesLoading}>
          <div className="flex flex-col gap-3">
            <Skeleton className="h-32" />
            <Skeleton className="h-32" />
          </div>
        </Loading>
      );
    case "failed":
      return <ErrorPanel title={text.issuesFailed} message={issues.message} hint={issues.hint ?? text.issuesHint} onRetry={refresh} />;
    case "answered":
      if (issues.answer.length === 0) {
        return (
          <EmptyLine>
            <Marked text={text.issuesEmpty} />
          </EmptyLine>
        );
      }
      return (
        <ol className="grid gap-4 lg:grid-cols-2">
          {issues.answer.map((issue) => (
            <IssueCard key={issue.number} issue={issue} />
          ))}
        </ol>
      );
  }
}

function IssueCard({ issue }: { issue: RankedIssue }): ReactNode {
  const { startSession } = useCoachActions();
  const [, navigate] = useLocation();
  const awaitStart = useNavigationAtStart(() => {
    navigate("/coach/work");
  });
  return (
    <Card as="li" className="flex flex-col">
      <p className="flex flex-wrap items-baseline justify-between gap-x-4 text-base">
        <Mark {...FITS[issue.suitability]}>{text.suitability[issue.suitability]}</Mark>
        <span className="text-ink-soft">{text.difficulty[issue.estimatedDifficulty]}</span>
      </p>
      <h3 className="mt-1.5 text-lg">
        <span className="text-door-ink">#{issue.number}</span> {issue.title}
      </h3>
      <p className="mt-1">{issue.summary}</p>
      <p className="mt-1 text-ink-soft">{issue.suitabilityReason}</p>
      <div className="mt-2">
        <Facts>
          <Fact name={text.issueSkills}>{issue.relevantSkills.join(", ")}</Fact>
          <Fact name={text.learn}>{issue.learningOpportunities.join(", ")}</Fact>
        </Facts>
      </div>
      <div className="mt-auto pt-3">
        <Button
          look={issue.suitability === "good_fit" ? "primary" : "quiet"}
          aria-label={text.startNamed(issue.number)}
          onClick={() => {
            if (startSession(issue.number, issue.title)) awaitStart();
          }}
        >
          {text.start}
        </Button>
      </div>
    </Card>
  );
}

/** Goes on when the session that was asked for has begun: before that, the workspace would read the old one. */
export function useNavigationAtStart(onStart: () => void): () => void {
  const { connection } = useServices();
  const isAwaited = useRef(false);
  const latest = useRef(onStart);
  useEffect(() => {
    latest.current = onStart;
  });
  useEffect(() => {
    const begun = (): void => {
      if (!isAwaited.current) return;
      isAwaited.current = false;
      latest.current();
    };
    const stops = [connection.subscribe("session:started", begun), connection.subscribe("session:resumed", begun)];
    return () => {
      for (const stop of stops) stop();
    };
  }, [connection]);
  return useCallback(() => {
    isAwaited.current = true;
  }, []);
}
