/** The pages of the coach, fetched together: they share what this window knows. */

import "./coach.css";

import { useQuery } from "@tanstack/react-query";
import { type ReactNode, useEffect } from "react";
import { Link } from "wouter";

import { useServices } from "../../services";
import { buttonClass, PrintButton } from "../../ui/button";
import { Empty, EmptyLine } from "../../ui/data/answered";
import { Figures } from "../../ui/data/facts";
import { QueryError } from "../../ui/error-panel";
import { Section } from "../../ui/section";
import { Loading, Skeleton } from "../../ui/skeleton";
import { Dashboard } from "./dashboard/dashboard";
import { KataList, StageTable } from "./dashboard/skills";
import { Practice } from "./practice";
import { followCoach } from "./state/news";
import { type Ended, type Learnt, useCoachSession } from "./state/session";
import { coachStrings } from "./strings";
import { Work } from "./work/work";

function useFollowing(): void {
  const services = useServices();
  // Before anything on the page asks: an answer must find somebody who listens.
  useEffect(() => {
    followCoach(services);
  }, [services]);
}

export function DashboardPage(): ReactNode {
  useFollowing();
  return <Dashboard />;
}

export function WorkPage(): ReactNode {
  useFollowing();
  return <Work />;
}

export function PracticePage({ kata }: { kata: string }): ReactNode {
  useFollowing();
  return <Practice key={kata} id={kata} />;
}

export function WrapUpPage(): ReactNode {
  useFollowing();
  return <WrapUp />;
}

// How a session ended: what it was, what it showed, and what to do with it.

const text = coachStrings.wrapUp;
const COUNTS = Object.keys(text.counts) as (keyof typeof text.counts)[];

function WrapUp(): ReactNode {
  const ended = useCoachSession((session) => session.ended);
  if (ended === null) {
    return (
      <div className="mt-6">
        <Empty title={text.empty} hint={text.emptyHint}>
          <Link href="/coach/work" className={`mt-4 ${buttonClass("primary")}`}>
            {coachStrings.dashboard.open}
          </Link>
        </Empty>
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
      <p data-unprinted className="mt-10 flex flex-wrap gap-2">
        <Link href="/coach" className={buttonClass("primary")}>
          {text.next}
        </Link>
        <PrintButton />
      </p>
    </>
  );
}

function Counts({ learnt }: { learnt: Learnt }): ReactNode {
  const isNothing = COUNTS.every((name) => learnt[name] === 0);
  return (
    <>
      <Figures
        columns={4}
        className="mt-6"
        figures={COUNTS.map((name) => ({ key: name, name: text.counts[name], value: learnt[name] }))}
      />
      {learnt.note !== undefined && <p className="mt-3 text-ink-soft">{learnt.note}</p>}
      {isNothing && learnt.note === undefined && <p className="mt-3 text-ink-soft">{text.nothing}</p>}
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
      <Section heading={text.katas}>
        {untried.length === 0 ? (
          <EmptyLine>{text.katasEmpty}</EmptyLine>
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
      <Section heading={text.stages}>
        {moved.length === 0 ? <EmptyLine>{text.stagesEmpty}</EmptyLine> : <StageTable rows={moved} />}
      </Section>
      <Section heading={text.memories} className="mt-10">
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
