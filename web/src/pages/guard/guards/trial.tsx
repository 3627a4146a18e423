/** What a guard was tried on: its examples, harmless actions, the past. */

import { CircleCheck, CircleX } from "lucide-react";
import type { ReactNode } from "react";

import { guardsStrings } from "../../../strings-guard-guards";
import { Marked } from "../../../ui/marked";
import type { LearnedAnswer, LearnedHit, LearnedTrial } from "../../../wire/generated";
import { ReplayPlot } from "./replay-plot";

const text = guardsStrings.trial;

export function Trial({ trial }: { trial: LearnedTrial | null }): ReactNode {
  return (
    <section aria-labelledby="guard-trial" className="mt-8">
      <h3 id="guard-trial" className="text-lg">
        {text.heading}
      </h3>
      {trial === null ? <p className="mt-1 text-ink-soft">{text.untried}</p> : <Results trial={trial} />}
    </section>
  );
}

function Results({ trial }: { trial: LearnedTrial }): ReactNode {
  const { replay } = trial;
  const hits = replay.already + replay.corrected + replay.harmless;
  return (
    <div className="mt-2 grid grid-cols-1 gap-x-10 gap-y-6 lg:grid-cols-2">
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

/** The table behind a promotion: reasons to keep things as they are, and reasons to change them. */
function Answers({ answers }: { answers: readonly LearnedAnswer[] }): ReactNode {
  return (
    <table className="w-full text-left text-base lg:col-span-2">
      <caption className="mb-1 text-left font-semibold">{text.criterion}</caption>
      <thead>
        <tr className="border-b border-edge align-bottom">
          {text.criterionColumns.map((column) => (
            <th key={column} scope="col" className="py-1 pr-3 first:w-[46%]">
              {column}
            </th>
          ))}
        </tr>
      </thead>
      <tbody>
        {answers.map(({ row, side, question, holds, why }) => (
          <tr key={row} className="border-b border-rule align-top">
            <th scope="row" className="py-1 pr-3 font-normal">
              {question}
              <span className="block text-[0.9375rem] text-ink-soft">{text.sides[side]}</span>
            </th>
            <td className={`py-1 pr-3 ${holds ? "font-semibold" : "text-ink-soft"}`}>{holds ? text.yes : text.no}</td>
            <td className="py-1">
              <Marked text={why} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
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
          <details className="mt-1">
            <summary className="w-fit cursor-pointer text-base text-ink-soft hover:text-accent">{text.hits}</summary>
            <ul className="mt-1 flex flex-col gap-1">
              {hits.map((hit) => (
                <li key={hit.id} className="text-base">
                  <span className="text-ink-soft">{hit.tool}</span> <code className="text-[0.95em]">{hit.text}</code>
                </li>
              ))}
            </ul>
          </details>
        )}
      </div>
    </li>
  );
}
