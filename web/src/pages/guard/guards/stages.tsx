/** The guards in columns, one for each stage. */

import type { ReactNode } from "react";

import { guardsStrings } from "../../../strings-guard-guards";
import { Marked } from "../../../ui/marked";
import type { LearnedGuard, LearnedGuards } from "../../../wire/generated";
import { Teaching } from "../../../ui/teaching";
import { GuardCard } from "./guard-card";

const text = guardsStrings.stages;
const COLUMNS = ["proposed", "shadow", "production", "rolled_back"] as const;

export function Stages({ found: { guards, problems, promote, folder } }: { found: LearnedGuards }): ReactNode {
  if (guards.length === 0 && problems.length === 0) return <Teaching words={guardsStrings.empty} />;
  return (
    <section aria-labelledby="guards-stages" className="pt-6">
      <h2 id="guards-stages" className="text-xl">
        {text.heading}
      </h2>
      {problems.length > 0 && <Problems problems={problems} />}
      <div className="mt-5 grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {COLUMNS.map((column) => (
          <Column key={column} name={column} guards={guards.filter(({ standing }) => columnOf(standing) === column)} />
        ))}
      </div>
      <p className="mt-5 text-base text-ink-soft [overflow-wrap:anywhere]">
        <Marked text={text.policy[promote]} /> {text.folder} <code className="text-[0.9em]">{folder}</code>
      </p>
    </section>
  );
}

function Column({ name, guards }: { name: (typeof COLUMNS)[number]; guards: LearnedGuard[] }): ReactNode {
  const { title, about } = text.columns[name];
  return (
    <section aria-labelledby={`stage-${name}`} className="rounded-lg border border-line bg-line/25 p-3">
      <h3 id={`stage-${name}`} className="flex items-baseline justify-between gap-2 text-lg">
        {title}
        <span className="text-base font-normal text-ink-soft tabular-nums">{guards.length}</span>
      </h3>
      <p className="text-[0.9375rem] leading-snug text-ink-soft">{about}</p>
      {guards.length === 0 ? (
        <p className="mt-3 text-base text-ink-soft">{text.nobody}</p>
      ) : (
        <ul className="mt-3 flex flex-col gap-3">
          {guards.map((guard) => (
            <li key={guard.id}>
              <GuardCard guard={guard} />
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Problems({ problems }: { problems: LearnedGuards["problems"] }): ReactNode {
  return (
    <div role="alert" className="mt-4 max-w-3xl rounded-lg border border-line border-l-4 border-l-fail bg-card p-4">
      <p className="font-semibold">{text.problems}</p>
      <ul className="mt-1">
        {problems.map((problem) => (
          <li key={problem}>
            <Marked text={problem} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function columnOf(standing: LearnedGuard["standing"]): (typeof COLUMNS)[number] {
  return standing === "retired" ? "rolled_back" : standing;
}
