/** Issues of the project, judged for the person: whether they fit, and why. */

import { clsx } from "clsx";
import { CircleCheck, MoveUpRight, OctagonAlert, RotateCw } from "lucide-react";
import type { ReactNode } from "react";
import { useLocation } from "wouter";

import { coachStrings } from "../../../strings-coach";
import { Button } from "../../../ui/button";
import { ErrorPanel } from "../../../ui/error-panel";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { RankedIssue } from "../../../wire/generated";
import { useCoachActions } from "../state/actions";
import { ids } from "../state/asking";
import { useNavigationAtStart } from "../state/at-start";
import { useDashboard } from "../state/dashboard";
import { Empty, Section } from "./section";

const text = coachStrings.dashboard;

const FITS = {
  good_fit: { icon: CircleCheck, colour: "text-ok" },
  stretch: { icon: MoveUpRight, colour: "text-warn" },
  too_advanced: { icon: OctagonAlert, colour: "text-fail" },
} satisfies Record<RankedIssue["suitability"], unknown>;

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
      title={text.issues}
      className="mt-10"
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
          <Empty>
            <Marked text={text.issuesEmpty} />
          </Empty>
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
  const { icon: Icon, colour } = FITS[issue.suitability];
  return (
    <li className="flex flex-col rounded-lg border border-line bg-card p-4">
      <p className={clsx("flex items-center gap-2 text-base font-semibold", colour)}>
        <Icon aria-hidden className="size-4 shrink-0" />
        {text.suitability[issue.suitability]}
        <span className="ml-auto font-normal text-ink-soft">{text.difficulty[issue.estimatedDifficulty]}</span>
      </p>
      <h3 className="mt-1.5 text-lg">
        <span className="text-door-ink">#{issue.number}</span> {issue.title}
      </h3>
      <p className="mt-1">{issue.summary}</p>
      <p className="mt-1 text-ink-soft">{issue.suitabilityReason}</p>
      <dl className="mt-2 text-base">
        <Fact name={text.issueSkills} values={issue.relevantSkills} />
        <Fact name={text.learn} values={issue.learningOpportunities} />
      </dl>
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
    </li>
  );
}

function Fact({ name, values }: { name: string; values: string[] }): ReactNode {
  if (values.length === 0) return null;
  return (
    <div className="flex flex-wrap gap-x-2">
      <dt className="text-ink-soft">{name}</dt>
      <dd>{values.join(", ")}</dd>
    </div>
  );
}
