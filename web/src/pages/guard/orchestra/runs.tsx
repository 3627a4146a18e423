/** The runs of agents, the newest first, each with what it returned. */

import { type ReactNode, useState } from "react";

import { orchestraStrings } from "../../../strings-guard-orchestra";
import { CommandText } from "../../../ui/command-text";
import { More } from "../../../ui/more";
import { Section } from "../../../ui/section";
import { ShowMore } from "../../../ui/shown";
import { When } from "../../../ui/when";
import type { OrchestraRun } from "../../../wire/generated";

const text = orchestraStrings.runs;
const FIRST = 8;

export function Runs({ runs }: { runs: readonly OrchestraRun[] }): ReactNode {
  const [count, setCount] = useState(FIRST);
  return (
    <Section heading={text.heading}>
      {runs.length === 0 && <p className="text-ink-soft">{text.none}</p>}
      <ul className="divide-y divide-rule border-y border-rule empty:hidden">
        {runs.slice(0, count).map((run) => (
          <li key={run.id} className="py-2">
            <Run run={run} />
          </li>
        ))}
      </ul>
      {runs.length > count && (
        <ShowMore
          words={text.showMore}
          isBusy={false}
          onMore={() => {
            setCount(count + 4 * FIRST);
          }}
        />
      )}
    </Section>
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
            <When as="recent" at={run.started} />
          </span>
        )}
      </p>
      {run.returned !== "" && (
        <More words={text.returned} className="mt-1">
          <CommandText text={run.returned} className="mt-1" />
        </More>
      )}
    </>
  );
}

function tookOf({ started, ended }: OrchestraRun): string {
  if (started === null) return "";
  if (ended === null) return text.still;
  return text.took((new Date(ended).getTime() - new Date(started).getTime()) / 1000);
}
