/** The runs of agents, the newest first, each with what it returned. */

import { type ReactNode, useState } from "react";

import { orchestraStrings } from "../../../strings-guard-orchestra";
import { Button } from "../../../ui/button";
import type { OrchestraRun } from "../../../wire/generated";
import { CommandText } from "../parts";
import { When } from "../when";

const text = orchestraStrings.runs;
const FIRST = 8;

export function Runs({ runs }: { runs: readonly OrchestraRun[] }): ReactNode {
  const [count, setCount] = useState(FIRST);
  return (
    <section aria-labelledby="runs" className="mt-10">
      <h2 id="runs" className="text-xl">
        {text.heading}
      </h2>
      {runs.length === 0 && <p className="mt-2 text-ink-soft">{text.none}</p>}
      <ul className="mt-3 divide-y divide-rule border-y border-rule empty:hidden">
        {runs.slice(0, count).map((run) => (
          <li key={run.id} className="py-2">
            <Run run={run} />
          </li>
        ))}
      </ul>
      {runs.length > count && (
        <Button
          look="quiet"
          className="mt-3"
          onClick={() => {
            setCount(count + 4 * FIRST);
          }}
        >
          {text.showMore}
        </Button>
      )}
    </section>
  );
}

function Run({ run }: { run: OrchestraRun }): ReactNode {
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-semibold">{run.agent}</span>
        {run.feature !== "" && <span>{run.feature}</span>}
        <span className={run.vetoed ? "font-semibold text-warn" : ""}>{run.vetoed ? text.vetoed : run.outcome}</span>
        <span className="text-base text-ink-soft">
          {[run.runner, run.attempt > 0 ? text.attempt(run.attempt) : "", tookOf(run)].filter((each) => each !== "").join(" · ")}
        </span>
        {run.started !== null && (
          <span className="ml-auto text-base text-ink-soft">
            <When at={run.started} />
          </span>
        )}
      </p>
      {run.returned !== "" && (
        <details className="mt-1">
          <summary className="w-fit cursor-pointer text-base text-ink-soft hover:text-accent">{text.returned}</summary>
          <CommandText text={run.returned} className="mt-1" />
        </details>
      )}
    </>
  );
}

function tookOf({ started, ended }: OrchestraRun): string {
  if (started === null) return "";
  if (ended === null) return text.still;
  return text.took((new Date(ended).getTime() - new Date(started).getTime()) / 1000);
}
