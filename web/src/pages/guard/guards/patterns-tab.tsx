/** What agents do again and again, and the guards and prompts that could be made of it. */

import { Terminal } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { GUARD_PATHS } from "../../../routes";
import { guardsStrings } from "../../../strings-guard-guards";
import { QueryError } from "../../../ui/error-panel";
import { Marked } from "../../../ui/marked";
import { ShareBars } from "../../../ui/plots/share-bars";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { LearnedLessons, LearnedPattern, LearnedPrompt, LearnedProposal } from "../../../wire/generated";
import { Empty } from "../../../ui/empty";
import { Facts } from "../../../ui/facts";
import { Diff } from "../hosts/diff";
import { MatcherParts } from "./guard-parts";
import { useLessons } from "./hooks";

const text = guardsStrings.lessons;

export function PatternsTab(): ReactNode {
  const lessons = useLessons();
  if (lessons.data === undefined) {
    if (lessons.isError) return <QueryError title={text.failed} query={lessons} />;
    return (
      <Loading label={text.loading}>
        <Skeleton className="h-96" />
      </Loading>
    );
  }
  return <Lessons lessons={lessons.data} />;
}

function Lessons({ lessons: { patterns, proposals, prompts } }: { lessons: LearnedLessons }): ReactNode {
  return (
    <>
      <section aria-labelledby="patterns">
        <h2 id="patterns" className="text-xl">
          {text.heading}
        </h2>
        <p className="mt-1 mb-3 text-ink-soft">{text.lead}</p>
        {patterns.length === 0 ? <Empty title={text.none} hint={text.noneHint} /> : <PatternBars patterns={patterns} />}
      </section>
      {proposals.length > 0 && <Proposals proposals={proposals} />}
      {prompts.length > 0 && <Prompts prompts={prompts} />}
    </>
  );
}

function PatternBars({ patterns }: { patterns: readonly LearnedPattern[] }): ReactNode {
  const most = Math.max(...patterns.map(({ weight }) => weight));
  return (
    <ShareBars
      caption={text.heading}
      columns={[text.columns[0], text.columns[1]]}
      rows={patterns.map((pattern) => ({
        id: pattern.key,
        name: <PatternName pattern={pattern} />,
        share: most === 0 ? 0 : pattern.weight / most,
        shown: pattern.weight.toLocaleString(undefined, { maximumFractionDigits: 1 }),
        note: (
          <>
            {text.count(pattern.count, pattern.sessions)}
            {pattern.overridden > 0 && `, ${text.overridden(pattern.overridden)}`}
            {" · "}
            {guardsStrings.scopes[pattern.scope]}
          </>
        ),
      }))}
    />
  );
}

function PatternName({ pattern: { agent, action, reason, shape, traces } }: { pattern: LearnedPattern }): ReactNode {
  const [first] = traces;
  return (
    <>
      <span className="font-semibold">{agent}</span> {action} <code className="text-[0.9em] [overflow-wrap:anywhere]">{shape}</code>
      {reason !== "" && <span className="block text-base [overflow-wrap:anywhere]">{reason}</span>}
      {first !== undefined && (
        <Link href={`${GUARD_PATHS.graph}?id=${encodeURIComponent(first)}`} className="block text-base text-accent underline">
          {text.traces}
        </Link>
      )}
    </>
  );
}

function Proposals({ proposals }: { proposals: readonly LearnedProposal[] }): ReactNode {
  return (
    <section aria-labelledby="proposals" className="mt-10">
      <h2 id="proposals" className="text-xl">
        {text.proposals}
      </h2>
      <p className="mt-1 flex flex-wrap items-baseline gap-2 text-ink-soft">
        {text.proposalsLead}
        <span className="inline-flex items-center gap-2 rounded bg-line/60 px-2 py-1 text-ink">
          <Terminal aria-hidden className="size-4 shrink-0 text-ink-soft" />
          <code className="text-[0.9em]">{text.command}</code>
        </span>
      </p>
      <ul className="mt-4 grid grid-cols-1 gap-4 lg:grid-cols-2">
        {proposals.map((proposal) => (
          <li key={proposal.id} className="rounded-lg border border-line bg-card p-4">
            <h3 className="text-lg [overflow-wrap:anywhere]">{proposal.id}</h3>
            <Marked className="mt-1 mb-2 block" text={proposal.message} />
            {proposal.why !== "" && <Marked className="mb-2 block text-base text-ink-soft" text={proposal.why} />}
            <Facts>
              <MatcherParts matcher={proposal.matcher} />
            </Facts>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Prompts({ prompts }: { prompts: readonly LearnedPrompt[] }): ReactNode {
  return (
    <section aria-labelledby="prompts" className="mt-10">
      <h2 id="prompts" className="text-xl">
        {text.prompts}
      </h2>
      <ul className="mt-3 flex flex-col gap-4">
        {prompts.map((prompt, place) => (
          <li key={place} className="rounded-lg border border-line bg-card p-4">
            <p>
              <span className="font-semibold">{prompt.agent}</span>{" "}
              <span className="text-base text-ink-soft">{text.tokens(prompt.tokens)}</span>
            </p>
            <Marked className="mt-1 mb-2 block" text={prompt.why} />
            <Diff change={{ path: prompt.file, kind: "changed", diff: prompt.diff }} isOpen />
          </li>
        ))}
      </ul>
    </section>
  );
}
