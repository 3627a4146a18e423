/** What a guard was tried on: its examples, harmless actions, the past. */

import { CircleCheck, CircleX } from "lucide-react";
import type { ReactNode } from "react";

import { guardsStrings } from "../../../strings-guard-guards";
import { type Column, DataTable } from "../../../ui/data-table";
import { Marked } from "../../../ui/marked";
import { More } from "../../../ui/more";
import { Section } from "../../../ui/section";
import type { LearnedAnswer, LearnedHit, LearnedTrial } from "../../../wire/generated";
import { ReplayPlot } from "./replay-plot";

const text = guardsStrings.trial;

export function Trial({ trial }: { trial: LearnedTrial | null }): ReactNode {
  return (
    <Section heading={text.heading} isSmall className="mt-8">
      {trial === null ? <p className="text-ink-soft">{text.untried}</p> : <Results trial={trial} />}
    </Section>
  );
}

function Results({ trial }: { trial: LearnedTrial }): ReactNode {
  const { replay } = trial;
  const hits = replay.already + replay.corrected + replay.harmless;
  return (
    <div className="grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2">
      <ul className="flex flex-col gap-3">
        <Result name={text.examples} isGood={trial.faults.length === 0} said={text.examplesGood} faults={trial.faults} />
        <Result name={text.probe} isGood={trial.benign === 0} said={text.probed(trial.benign, trial.probed)} hits={trial.benignHits} />
        <Result
          name={text.replay}
          isGood={replay.harmless === 0}
          said={text.replayed(hits, replay.actions)}
          hits={replay.hits.filter(({ decision }) => decision === "allow")}
        />
      </ul>
      {replay.actions > 0 && <ReplayPlot replay={replay} />}
      {trial.answers.length > 0 && <Answers answers={trial.answers} />}
    </div>
  );
}

const COLUMNS: readonly Column<LearnedAnswer>[] = [
  {
    key: "question",
    name: text.criterionColumns[0],
    cell: ({ question, side }) => (
      <>
        {question}
        <span className="block text-[0.9375rem] text-ink-soft">{text.sides[side]}</span>
      </>
    ),
  },
  {
    key: "holds",
    name: text.criterionColumns[1],
    cell: ({ holds }) => <span className={holds ? "font-semibold" : "text-ink-soft"}>{holds ? text.yes : text.no}</span>,
  },
  { key: "why", name: text.criterionColumns[2], cell: ({ why }) => <Marked text={why} /> },
];

/** The table behind a promotion: reasons to keep things as they are, and reasons to change them. */
function Answers({ answers }: { answers: readonly LearnedAnswer[] }): ReactNode {
  return (
    <DataTable
      caption={text.criterion}
      captionShown
      columns={COLUMNS}
      rows={answers}
      rowKey={({ row }) => row}
      narrow="stack"
      className="lg:col-span-2"
    />
  );
}

interface ResultProps {
  name: string;
  isGood: boolean;
  said: string;
  faults?: readonly string[];
  hits?: readonly LearnedHit[];
}

function Result({ name, isGood, said, faults = [], hits = [] }: ResultProps): ReactNode {
  const Icon = isGood ? CircleCheck : CircleX;
  return (
    <li className="flex gap-2">
      <Icon aria-hidden className={`mt-1 size-5 shrink-0 ${isGood ? "text-ok" : "text-fail"}`} />
      <div className="min-w-0">
        <p className="font-semibold">{name}</p>
        {faults.length === 0 ? <p>{said}</p> : faults.map((fault) => <Marked key={fault} className="block" text={fault} />)}
        {hits.length > 0 && (
          <More words={text.hits} className="mt-1">
            <ul className="mt-1 flex flex-col gap-1">
              {hits.map((hit) => (
                <li key={hit.id} className="text-base">
                  <span className="text-ink-soft">{hit.tool}</span> <code className="text-[0.95em]">{hit.text}</code>
                </li>
              ))}
            </ul>
          </More>
        )}
      </div>
    </li>
  );
}
