/** The guards in columns, one for each stage. */

import type { ReactNode } from "react";

import { guardsStrings } from "../../../strings-guard-guards";
import { BoardColumn } from "../../../ui/board";
import { Marked } from "../../../ui/marked";
import { Notice } from "../../../ui/notice";
import { Teaching } from "../../../ui/teaching";
import type { LearnedGuard, LearnedGuards } from "../../../wire/generated";
import { GuardCard } from "./guard-card";

const text = guardsStrings.stages;
const COLUMNS = ["proposed", "shadow", "production", "rolled_back"] as const;

export function Stages({ found: { guards, problems, promote, folder } }: { found: LearnedGuards }): ReactNode {
  if (guards.length === 0 && problems.length === 0) return <Teaching words={guardsStrings.empty} className="" />;
  return (
    <section aria-labelledby="guards-stages">
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
  return (
    <BoardColumn {...text.columns[name]} nobody={text.nobody}>
      {guards.map((guard) => (
        <li key={guard.id}>
          <GuardCard guard={guard} />
        </li>
      ))}
    </BoardColumn>
  );
}

function Problems({ problems }: { problems: LearnedGuards["problems"] }): ReactNode {
  return (
    <Notice tone="fail" title={text.problems} isUrgent className="mt-4 max-w-3xl">
      <ul>
        {problems.map((problem) => (
          <li key={problem}>
            <Marked text={problem} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function columnOf(standing: LearnedGuard["standing"]): (typeof COLUMNS)[number] {
  return standing === "retired" ? "rolled_back" : standing;
}
