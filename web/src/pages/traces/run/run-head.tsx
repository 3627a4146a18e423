/** A run at a glance: what was asked, how it stands, time, tokens and cost. */

import { MessagesSquare } from "lucide-react";
import { type ReactNode, useMemo } from "react";
import { Link } from "wouter";

import { traceStrings } from "../../../strings-traces";
import { buttonClass } from "../../../ui/button";
import { Figures } from "../../../ui/figures";
import { Marked } from "../../../ui/marked";
import { More } from "../../../ui/more";
import { When } from "../../../ui/when";
import type { TraceDetail } from "../../../wire/generated";
import { showCost, showCount, showShort, showTime, showTokens } from "../amounts";
import { doorName, StateMark } from "../marks";

const text = traceStrings.one;
const LONG = 280;

export function RunHead({ detail }: { detail: TraceDetail }): ReactNode {
  const { run, prompt, output } = detail;
  return (
    <header className="mt-2">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <h2 className="line-clamp-3 text-2xl [overflow-wrap:anywhere]">{run.title === "" ? traceStrings.list.untitled : run.title}</h2>
          <p className="mt-1 flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft">
            <StateMark run={run} />
            <When as="moment" at={run.createdAt} />
            <span>{doorName(run.door)}</span>
            <span className="[overflow-wrap:anywhere]">{text.by(run.agent, run.source)}</span>
          </p>
          {run.reason !== null && <Marked className="mt-1 block text-fail" text={run.reason} />}
          {run.state === "running" && (
            <p role="status" className="mt-1 text-base text-ink-soft">
              {text.live}
            </p>
          )}
        </div>
        {run.door === "plan" && (
          <Link href={`/plan?session=${encodeURIComponent(run.session)}`} className={buttonClass("quiet")}>
            <MessagesSquare aria-hidden className="size-4.5" />
            {text.session}
          </Link>
        )}
      </div>
      {prompt.trim().length > LONG && <Words name={text.asked} words={prompt} />}
      {output !== null && output !== "" && <Words name={text.answered} words={output} />}
      <Numbers detail={detail} />
    </header>
  );
}

function Words({ name, words }: { name: string; words: string }): ReactNode {
  return (
    <More words={name}>
      <div className="mt-1 max-h-96 overflow-y-auto rounded-lg border border-line bg-card p-4 whitespace-pre-wrap">{words}</div>
    </More>
  );
}

function Numbers({ detail: { run, spans } }: { detail: TraceDetail }): ReactNode {
  const sums = useMemo(
    () => ({ read: sum(spans.tokensIn), written: sum(spans.tokensOut), cost: knownCost(spans) }),
    [spans],
  );
  return (
    <Figures
      className="mt-5"
      label={text.figures}
      columns={4}
      figures={[
        { key: "took", name: text.took, value: showTime(spans.lengths[0] ?? 0) },
        { key: "turns", name: text.turns, value: showCount(run.turns), note: text.spans(spans.steps.length - 1) },
        { key: "tokens", name: text.tokens, value: showShort(sums.read + sums.written), note: showTokens(sums.read, sums.written) },
        { key: "cost", name: text.cost, value: run.source === "local" ? traceStrings.units.free : showCost(run.costUsd ?? sums.cost, run.costUsd === null) },
      ]}
    />
  );
}

/** What the calls cost whose price is known. */
function knownCost({ kinds, costs }: TraceDetail["spans"]): number {
  return sum(costs.map((cost, place) => (kinds[place] === "model" ? (cost ?? 0) : 0)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
