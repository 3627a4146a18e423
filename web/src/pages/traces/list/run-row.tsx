/** One run in the list: what was asked, how it stands, how long it took, what it cost. */

import type { KeyboardEvent, ReactNode } from "react";
import { Link } from "wouter";

import { runPath } from "../../../routes";
import { traceStrings } from "../../../strings-traces";
import { When } from "../../../ui/when";
import type { TraceRun } from "../../../wire/generated";
import { between, showCost, showTime } from "../amounts";
import { doorName, StateMark } from "../marks";

const text = traceStrings.list;

export function RunRow({ run, now }: { run: TraceRun; now: string }): ReactNode {
  const took = between(run.createdAt, run.state === "running" ? now : run.updatedAt);
  return (
    <Link
      href={runPath(run.id)}
      data-run
      onKeyDown={moveWithArrows}
      className="grid gap-x-6 gap-y-0.5 px-2 py-3 transition-colors hover:bg-card sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <span className="line-clamp-2 font-semibold [overflow-wrap:anywhere]">{run.title === "" ? text.untitled : run.title}</span>
      <span className="sm:text-right">
        <StateMark run={run} />
      </span>
      <span className="flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft">
        <When as="recent" at={run.createdAt} />
        <span>{doorName(run.door)}</span>
        <span className="[overflow-wrap:anywhere]">{traceStrings.one.by(run.agent, run.source)}</span>
      </span>
      <span className="flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft tabular-nums sm:justify-end">
        {run.turns > 0 && <span>{text.turns(run.turns)}</span>}
        <span>{showTime(took)}</span>
        {run.source !== "local" && <span>{showCost(run.costUsd)}</span>}
      </span>
    </Link>
  );
}

/** The arrow keys go through the list. */
function moveWithArrows(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const rows = [...document.querySelectorAll<HTMLElement>("[data-run]")];
  const at = rows.findIndex((row) => row === event.currentTarget);
  rows[at + step]?.focus();
}
