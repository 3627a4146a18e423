/** The memory at a glance: how much it holds, and what its four phases did. */

import type { ReactNode } from "react";

import { locale } from "../../locale/words";
import { strings } from "../../strings";
import { Answered } from "../../ui/answered";
import { Figures } from "../../ui/figures";
import { Skeleton } from "../../ui/skeleton";
import { formatDay } from "../../ui/when";
import type { MemoryOverview } from "../../wire/generated";
import { useOverview } from "./hooks";

const text = strings.memory.cycle;
/** On a phone it stands below everything else: who comes here there comes to search. */
const PLACE = "mt-6 max-sm:order-last max-sm:mt-12";

export function CycleStrip(): ReactNode {
  return (
    <div className={PLACE}>
      <Answered query={useOverview()} words={text} skeleton={<Skeleton className="h-24" />}>
        {(overview) => <Strip overview={overview} />}
      </Answered>
    </div>
  );
}

function Strip({ overview }: { overview: MemoryOverview }): ReactNode {
  const { totals, logs, cycle } = overview;
  const behind = logs.reduce((sum, log) => sum + Math.max(log.lastSeq - log.indexed, 0), 0);
  const figures = [
    {
      key: "held",
      name: text.held,
      value: totals.memories.toLocaleString(locale()),
      note: behind > 0 ? text.behind(behind) : text.heldDetail(totals.superseded),
    },
    ...cycle.map(({ phase, events, last }) => ({
      key: phase,
      name: text.phases[phase],
      value: events.toLocaleString(locale()),
      note: last === null ? text.never : text.last(formatDay(last)),
    })),
  ];
  return (
    <section aria-label={text.heading}>
      <Figures columns={5} figures={figures} />
      <p className="mt-2 text-base text-ink-soft [overflow-wrap:anywhere]">
        {text.log} <code className="text-[0.9em]">{logs[0]?.path}</code>
        {overview.embedder !== null && ` · ${overview.embedder} · ${overview.backends.join(", ")}`}
      </p>
    </section>
  );
}
