/** What agents do again and again, and the guards and prompts that could be made of it. */

import type { ReactNode } from "react";
import { Link } from "wouter";

import { Diff } from "../../../hosts/diff";
import { locale } from "../../../locale/words";
import { GUARD_PATHS } from "../../../routes";
import { guardsStrings } from "../../../strings-guard-guards";
import { Answered } from "../../../ui/answered";
import { Card } from "../../../ui/card";
import { ShellCommand } from "../../../ui/command-text";
import { Empty } from "../../../ui/empty";
import { Facts } from "../../../ui/facts";
import { Marked } from "../../../ui/marked";
import { ShareBars } from "../../../ui/plots/share-bars";
import { Section } from "../../../ui/section";
import { Skeleton } from "../../../ui/skeleton";
import type { LearnedLessons, LearnedPattern, LearnedPrompt, LearnedProposal } from "../../../wire/generated";
import { MatcherParts } from "./guard-parts";
import { useLessons } from "./hooks";

const text = guardsStrings.lessons;

export function PatternsTab(): ReactNode {
  return (
    <Answered query={useLessons()} words={text} skeleton={<Skeleton className="h-96" />}>
      {(lessons) => <Lessons lessons={lessons} />}
    </Answered>
  );
}

function Lessons({ lessons: { patterns, proposals, prompts } }: { lessons: LearnedLessons }): ReactNode {
  return (
    <>
      <Section heading={text.heading} lead={text.lead} className="">
        {patterns.length === 0 ? <Empty title={text.none} hint={text.noneHint} /> : <PatternBars patterns={patterns} />}
      </Section>
      {proposals.length > 0 && <Proposals proposals={proposals} />}
      {prompts.length > 0 && <Prompts prompts={prompts} />}
    </>
  );
}

function PatternBars({ patterns }: { patterns: readonly LearnedPattern[] }): ReactNode {
  const most = Math.max(...patterns.map(({ weight }) => weight));
  return (
    <ShareBars
      isWordy
      caption={text.heading}
      columns={[text.columns[0], text.columns[1]]}
      rows={patterns.map((pattern) => ({
        id: pattern.key,
        name: <PatternName pattern={pattern} />,
        share: most === 0 ? 0 : pattern.weight / most,
        shown: pattern.weight.toLocaleString(locale(), { maximumFractionDigits: 1 }),
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
    <Section
      heading={text.proposals}
      lead={
        <>
          {text.proposalsLead} <ShellCommand command={text.command} />
        </>
      }
    >
      <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {proposals.map((proposal) => (
          <Card as="li" key={proposal.id}>
            <h3 className="text-lg [overflow-wrap:anywhere]">{proposal.id}</h3>
            <Marked className="mt-1 mb-2 block" text={proposal.message} />
            {proposal.why !== "" && <Marked className="mb-2 block text-base text-ink-soft" text={proposal.why} />}
            <Facts>
              <MatcherParts matcher={proposal.matcher} />
            </Facts>
          </Card>
        ))}
      </ul>
    </Section>
  );
}

function Prompts({ prompts }: { prompts: readonly LearnedPrompt[] }): ReactNode {
  return (
    <Section heading={text.prompts}>
      <ul className="flex flex-col gap-4">
        {prompts.map((prompt, place) => (
          <Card as="li" key={place}>
            <p>
              <span className="font-semibold">{prompt.agent}</span>{" "}
              <span className="text-base text-ink-soft">{text.tokens(prompt.tokens)}</span>
            </p>
            <Marked className="mt-1 mb-2 block" text={prompt.why} />
            <Diff change={{ path: prompt.file, kind: "changed", diff: prompt.diff }} isOpen />
          </Card>
        ))}
      </ul>
    </Section>
  );
}
