/** The dashboard: skills and counts at once, issues and materials when they are found. */

import { useQuery } from "@tanstack/react-query";
import { CircleCheck, CircleDashed, CirclePlay, ExternalLink } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useRef, useState } from "react";
import { Link, useLocation, useSearchParams } from "wouter";
import { useStore } from "zustand";

import { locale } from "../../../locale/words";
import { coursePath } from "../../../routes";
import { useServices } from "../../../services";
import { Button, buttonClass } from "../../../ui/button";
import { EmptyLine } from "../../../ui/data/answered";
import { Card, Figures } from "../../../ui/data/facts";
import { formatDay, When } from "../../../ui/data/when";
import { ErrorPanel, QueryError } from "../../../ui/error-panel";
import { RadioPills } from "../../../ui/forms/choice";
import { Section } from "../../../ui/section";
import { Loading, Skeleton, SkeletonRows } from "../../../ui/skeleton";
import type {
  CoachGap,
  CoachSessionSeen,
  DashboardStats,
  InProgressSession,
  Recommendation,
  Resource,
} from "../../../wire/generated";
import { useGaps } from "../../gaps";
import { type Period, PERIODS } from "../api";
import { useCoachActions } from "../state/actions";
import { ids } from "../state/session";
import { useDashboard } from "../state/stores";
import { coachStrings } from "../strings";
import { Issues, useNavigationAtStart } from "./issues";
import { Katas, Skills } from "./skills";

const text = coachStrings.dashboard;

export function Dashboard(): ReactNode {
  const { connection, connectionState } = useServices();
  const isOpen = useStore(connectionState, ({ name }) => name === "open");
  const { state, skills, failed } = useDashboard();
  const ask = useCallback(() => {
    const isAsked = connection.send({ type: "dashboard:request", payload: { statsPeriod: "all" }, id: ids.dashboard });
    if (isAsked) useDashboard.setState({ issues: { state: "asking" }, materials: { state: "asking" }, failed: null });
  }, [connection]);
  useEffect(() => {
    if (isOpen) ask();
  }, [isOpen, ask]);
  if (failed !== null && state === null) {
    return <ErrorPanel title={text.failed} message={failed.message} hint={failed.hint} onRetry={ask} />;
  }
  return (
    <>
      <FoundSession />
      {state === null ? (
        <DashboardSkeleton />
      ) : (
        <>
          <OpenSessions sessions={state.inProgressSessions} />
          <div className="mt-10 grid gap-x-12 gap-y-10 xl:grid-cols-2">
            <Skills rows={state.dreyfus} skills={skills} />
            <Stats first={state.stats} />
          </div>
        </>
      )}
      <Issues />
      {state !== null && <Gaps />}
      {state !== null && <Katas katas={state.katas} />}
      <Materials onRetry={ask} />
    </>
  );
}

function DashboardSkeleton(): ReactNode {
  return (
    <Loading label={text.loading}>
      <Skeleton className="mt-8 h-20" />
      <div className="mt-10 grid gap-x-12 gap-y-10 xl:grid-cols-2">
        <Skeleton className="h-80" />
        <Skeleton className="h-80" />
      </div>
    </Loading>
  );
}

// The session that the address names, as a search leads to it: what it was about, its phases, what it showed.

/** Nothing is shown unless the address names a session. */
function FoundSession(): ReactNode {
  const [address] = useSearchParams();
  const id = address.get("session");
  return id === null || id === "" ? null : <Named key={id} id={id} />;
}

function Named({ id }: { id: string }): ReactNode {
  const { api } = useServices();
  const found = useQuery({ queryKey: ["coach", "session", id], queryFn: () => api.coach.session(id) });
  return (
    <Section
      heading={text.found}
      className="mt-8"
      aside={
        <Link href="/coach" className={buttonClass("quiet")}>
          {text.foundClose}
        </Link>
      }
    >
      {found.data !== undefined && <Seen seen={found.data} />}
      {found.isPending && (
        <Loading label={text.foundLoading}>
          <SkeletonRows />
        </Loading>
      )}
      {found.isLoadingError && <QueryError title={text.foundFailed} query={found} />}
    </Section>
  );
}

function Seen({ seen: { session, phases, gaps } }: { seen: CoachSessionSeen }): ReactNode {
  const { issueNumber, issueTitle, status, startedAt } = session;
  return (
    <article className="cover py-3 pr-4 pl-8">
      <h3 className="font-sans text-[1.0625rem] font-semibold">
        {issueNumber !== null && <span className="text-door-ink">#{issueNumber} </span>}
        {issueTitle ?? text.noIssue}
      </h3>
      <p className="text-base text-ink-soft">
        {text.foundStatus[status]}
        {" · "}
        <When at={startedAt} as="moment" />
      </p>
      {phases.length === 0 ? (
        <EmptyLine>{text.foundNoPlan}</EmptyLine>
      ) : (
        <ol className="mt-2 list-decimal pl-6" aria-label={text.foundPhases}>
          {phases.map(({ id, title, status: step }) => (
            <li key={id}>
              {title} <span className="text-ink-soft">· {text.foundPhase[step]}</span>
            </li>
          ))}
        </ol>
      )}
      {gaps.length > 0 && (
        <p className="mt-2 text-base">
          {text.foundGaps}: {gaps.join(", ")}
        </p>
      )}
    </article>
  );
}

/** Sessions that have not ended, and the way back into them. */
function OpenSessions({ sessions }: { sessions: InProgressSession[] }): ReactNode {
  const { resumeSession } = useCoachActions();
  const [, navigate] = useLocation();
  const awaitStart = useNavigationAtStart(() => {
    navigate("/coach/work");
  });
  return (
    <Section heading={text.sessions} className="mt-8">
      {sessions.length === 0 ? (
        <EmptyLine>{text.sessionsEmpty}</EmptyLine>
      ) : (
        <ul className="flex flex-col gap-3">
          {sessions.map(({ id, issueNumber, issueTitle, startedAt }) => (
            <li key={id} className="cover flex flex-wrap items-center gap-x-6 gap-y-2 py-3 pr-4 pl-8">
              <div className="min-w-0 flex-1">
                <p className="font-semibold">
                  {issueNumber !== null && <span className="text-door-ink">#{issueNumber} </span>}
                  {issueTitle ?? text.noIssue}
                </p>
                <p className="text-base text-ink-soft">
                  {text.since} <When at={startedAt} />
                </p>
              </div>
              <Button
                onClick={() => {
                  if (resumeSession(id)) awaitStart();
                }}
                aria-label={`${text.goOn}: ${issueTitle ?? text.noIssue}`}
              >
                <CirclePlay aria-hidden className="size-4" />
                {text.goOn}
              </Button>
            </li>
          ))}
        </ul>
      )}
    </Section>
  );
}

// What was done in a period.

const COUNTS = Object.keys(text.counts) as (keyof typeof text.counts)[];

/** `first` is of all time: it came with the dashboard. Other periods cost one more question, but no model. */
function Stats({ first }: { first: DashboardStats }): ReactNode {
  const { api } = useServices();
  const [period, setPeriod] = useState<Period>("all");
  const found = useQuery({
    queryKey: ["coach", "stats", period],
    queryFn: async () => (await api.coach.dashboard(period)).stats,
    enabled: period !== "all",
  });
  const stats = period === "all" ? first : found.data;
  return (
    <Section
      heading={text.stats}
      className=""
      aside={
        <RadioPills
          label={text.period}
          value={period}
          options={PERIODS.map((name) => [name, text.periods[name]])}
          onChoose={setPeriod}
        />
      }
    >
      {found.isError && period !== "all" && stats === undefined ? (
        <QueryError title={text.failed} query={found} />
      ) : stats === undefined ? (
        <Skeleton className="h-72" />
      ) : (
        <Figures
          isLive
          columns={2}
          figures={COUNTS.map((name) => ({ key: name, name: text.counts[name], value: shown(name, stats[name]) }))}
        />
      )}
    </Section>
  );
}

const MONEY = new Intl.NumberFormat(locale(), { style: "currency", currency: "USD" });
const NUMBER = new Intl.NumberFormat(locale(), { maximumFractionDigits: 0 });

function shown(name: keyof typeof text.counts, value: number): string {
  return name === "apiCostTotal" ? MONEY.format(value) : NUMBER.format(value);
}

// What sessions showed to be missing: how far it is, and when it comes back in Study.

/** Nothing is shown before the first gap. */
function Gaps(): ReactNode {
  const found = useGaps();
  const [address] = useSearchParams();
  const wanted = address.get("gap");
  if (found.isLoadingError) {
    return (
      <Section heading={text.gaps}>
        <QueryError title={text.gapsFailed} query={found} />
      </Section>
    );
  }
  if (found.data === undefined || found.data.length === 0) return null;
  return (
    <Section heading={text.gaps} lead={text.gapsLead}>
      <ul className="divide-y divide-rule border-y border-rule">
        {found.data.map((gap) => (
          <Gap key={gap.topic} gap={gap} isWanted={gap.topic === wanted} />
        ))}
      </ul>
    </Section>
  );
}

/** `isWanted` is the one that a search has led to. */
function Gap({ gap, isWanted }: { gap: CoachGap; isWanted: boolean }): ReactNode {
  const { topic, closed, stage, course, concept } = gap;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isWanted) row.current?.scrollIntoView({ block: "center" });
  }, [isWanted]);
  const Icon = closed ? CircleCheck : CircleDashed;
  return (
    <li
      ref={row}
      aria-current={isWanted ? "true" : undefined}
      className="flex flex-wrap items-center gap-x-5 gap-y-2 py-3 aria-[current]:border-l-4 aria-[current]:border-l-door-ink aria-[current]:pl-3"
    >
      <Icon aria-hidden className={`size-5 shrink-0 ${closed ? "text-ok" : "text-ink-soft"}`} />
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="font-sans text-[1.0625rem] font-semibold">{topic}</h3>
        <p className="text-base text-ink-soft">
          {[closed ? text.gapClosed : text.gapOpen, text.stages[stage], nextReview(gap), ...cameFrom(gap)].join(" · ")}
        </p>
      </div>
      {concept !== "" && (
        <Link
          href={`${coursePath("course", course)}?concept=${encodeURIComponent(concept)}`}
          aria-label={text.gapInStudyNamed(topic)}
          className={buttonClass("quiet")}
        >
          {text.gapInStudy}
        </Link>
      )}
    </li>
  );
}

function nextReview({ due, nextReview: at }: CoachGap): string {
  if (at === null) return text.gapUnplanned;
  return due ? text.gapDue : text.gapNext(formatDay(at));
}

function cameFrom({ sessionAt, sessionTitle }: CoachGap): string[] {
  return sessionAt === null ? [] : [text.gapFrom(sessionTitle, formatDay(sessionAt))];
}

/** What to read and watch, by the gap it helps with. */
function Materials({ onRetry }: { onRetry: () => void }): ReactNode {
  return (
    <Section heading={text.materials}>
      <MaterialList onRetry={onRetry} />
    </Section>
  );
}

function MaterialList({ onRetry }: { onRetry: () => void }): ReactNode {
  const materials = useDashboard((dashboard) => dashboard.materials);
  const hasGaps = useDashboard((dashboard) => dashboard.state === null || dashboard.state.openGaps > 0);
  switch (materials.state) {
    case "none":
    case "asking":
      return hasGaps ? <Looking /> : <EmptyLine>{text.materialsEmpty}</EmptyLine>;
    case "failed":
      return (
        <ErrorPanel title={text.materialsFailed} message={materials.message} hint={materials.hint ?? text.materialsHint} onRetry={onRetry} />
      );
    case "answered":
      if (materials.answer.length === 0) return <EmptyLine>{text.materialsEmpty}</EmptyLine>;
      return (
        <div className="flex flex-col gap-6">
          {materials.answer.map((each) => (
            <MaterialsGap key={each.knowledgeGap} found={each} />
          ))}
        </div>
      );
  }
}

function Looking(): ReactNode {
  return (
    <Loading label={text.materialsLoading}>
      <Skeleton className="h-28" />
    </Loading>
  );
}

function MaterialsGap({ found }: { found: Recommendation }): ReactNode {
  return (
    <article>
      <h3 className="text-lg">{found.knowledgeGap}</h3>
      {found.studyOrder !== "" && <p className="text-ink-soft">{found.studyOrder}</p>}
      <ul className="mt-2 grid gap-3 lg:grid-cols-2">
        {found.resources.map((resource) => (
          <ResourceCard key={resource.url} resource={resource} />
        ))}
      </ul>
      {found.practiceConnection !== null && <p className="mt-2 text-ink-soft">{found.practiceConnection}</p>}
    </article>
  );
}

function ResourceCard({ resource }: { resource: Resource }): ReactNode {
  // An address that a model made up must not run as a script.
  const isSafe = /^https?:\/\//i.test(resource.url);
  return (
    <Card as="li">
      <p className="text-base text-ink-soft">
        {[text.kinds[resource.type], resource.estimatedTime, text.relevance[resource.relevance]].filter(Boolean).join(" · ")}
      </p>
      {isSafe ? (
        <a href={resource.url} target="_blank" rel="noreferrer" className="font-semibold text-accent underline underline-offset-4">
          {resource.title}
          <ExternalLink aria-hidden className="ml-1 inline size-4 align-[-0.125em]" />
          <span className="sr-only"> ({text.newTab})</span>
        </a>
      ) : (
        <p className="font-semibold">{resource.title}</p>
      )}
      <p className="mt-0.5">{resource.description}</p>
    </Card>
  );
}
