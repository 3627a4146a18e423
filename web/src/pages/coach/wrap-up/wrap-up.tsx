/** How a session ended: what it was, what it showed, and what to do with it. */

import { useQuery } from "@tanstack/react-query";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { useServices } from "../../../services";
import { coachStrings } from "../../../strings-coach";
import { buttonClass } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { KataList } from "../dashboard/katas";
import { Empty, Section } from "../dashboard/section";
import { StageTable } from "../dashboard/skills";
import { type Ended, type Learnt, useCoachSession } from "../state/session";

const text = coachStrings.wrapUp;
const COUNTS = Object.keys(text.counts) as (keyof typeof text.counts)[];

export function WrapUp(): ReactNode {
  const ended = useCoachSession((session) => session.ended);
  if (ended === null) {
    return (
      <div className="mt-4">
        <p>{text.empty}</p>
        <p className="text-ink-soft">{text.emptyHint}</p>
        <Link href="/coach/work" className={`mt-4 ${buttonClass("primary")}`}>
          {coachStrings.dashboard.open}
        </Link>
      </div>
    );
  }
  const { issueTitle, durationMs, phasesCompleted, phasesTotal } = ended.summary;
  const facts = [text.duration(Math.round(durationMs / 60_000)), text.phases(phasesCompleted, phasesTotal)];
  return (
    <>
      <p className="mt-4 max-w-2xl text-lg">{issueTitle === null ? text.leadPlain : text.lead(issueTitle)}</p>
      <p className="text-ink-soft">{facts.join(" · ")}</p>
      {ended.learnt === null ? (
        <Loading label={text.looking}>
          <p aria-hidden className="mt-4 text-ink-soft">{text.looking}</p>
          <Skeleton className="mt-2 h-28" />
        </Loading>
      ) : (
        <>
          <Counts learnt={ended.learnt} />
          <Found ended={ended} />
        </>
      )}
      <p className="mt-10">
        <Link href="/coach" className={buttonClass("primary")}>
          {text.next}
        </Link>
      </p>
    </>
  );
}

function Counts({ learnt }: { learnt: Learnt }): ReactNode {
  const isNothing = COUNTS.every((name) => learnt[name] === 0);
  return (
    <>
      <dl className="mt-6 grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-4">
        {COUNTS.map((name) => (
          <div key={name} className="flex flex-col-reverse justify-end bg-card px-4 py-3">
            <dt className="text-base text-ink-soft">{text.counts[name]}</dt>
            <dd className="font-heading text-3xl font-semibold text-door-ink tabular-nums">{learnt[name]}</dd>
          </div>
        ))}
      </dl>
      {isNothing && <p className="mt-3 text-ink-soft">{text.nothing}</p>}
    </>
  );
}

/** The numbers in detail, as far as they can be read back. */
function Found({ ended }: { ended: Ended }): ReactNode {
  const { api } = useServices();
  const found = useQuery({
    queryKey: ["coach", "wrap-up", ended.summary.sessionId],
    queryFn: () => api.coach.dashboard("all"),
    staleTime: 0,
  });
  if (found.isError) return <QueryError title={coachStrings.dashboard.failed} query={found} />;
  if (found.data === undefined) return <Skeleton className="mt-8 h-40" />;
  const untried = found.data.katas.filter(({ attemptsCount }) => attemptsCount === 0);
  const moved = found.data.dreyfus.filter(({ assessedAt }) => ended.began !== null && assessedAt >= ended.began);
  return (
    <>
      <Section title={text.katas} className="mt-10">
        {untried.length === 0 ? (
          <Empty>{text.katasEmpty}</Empty>
        ) : (
          <>
            <p className="mb-2 text-ink-soft">
              {text.katasLead}{" "}
              <Link href="/study" className="text-accent underline underline-offset-4">
                {text.toStudy}
              </Link>
            </p>
            <KataList katas={untried} />
          </>
        )}
      </Section>
      <Section title={text.stages} className="mt-10">
        {moved.length === 0 ? <Empty>{text.stagesEmpty}</Empty> : <StageTable rows={moved} />}
      </Section>
      <Section title={text.memories} className="mt-10">
        <p>
          {text.memoriesLead}{" "}
          <Link href="/memory" className="text-accent underline underline-offset-4">
            {text.toMemory}
          </Link>
        </p>
      </Section>
    </>
  );
}
