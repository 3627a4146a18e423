/** The memory at a glance: how much it holds, and what its four phases did. */

import type { ReactNode } from "react";

import { strings } from "../../strings";
import { QueryError } from "../../ui/error-panel";
import { Loading, Skeleton } from "../../ui/skeleton";
import type { MemoryOverview } from "../../wire/generated";
import { useOverview } from "./hooks";
import { formatDay } from "../../ui/when";

const text = strings.memory.cycle;
/** On a phone it stands below everything else: who comes here there comes to search. */
const PLACE = "mt-6 max-sm:order-last max-sm:mt-12";

export function CycleStrip(): ReactNode {
  const overview = useOverview();
  if (overview.data !== undefined) return <Strip overview={overview.data} />;
  if (overview.isError) return <QueryError title={text.failed} query={overview} />;
  return (
    <div className={PLACE}>
      <Loading label={text.loading}>
        <Skeleton className="h-24" />
      </Loading>
    </div>
  );
}

function Strip({ overview }: { overview: MemoryOverview }): ReactNode {
  const { totals, logs, cycle } = overview;
  const behind = logs.reduce((sum, log) => sum + Math.max(log.lastSeq - log.indexed, 0), 0);
  return (
    <section aria-label={text.heading} className={PLACE}>
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3 xl:grid-cols-5">
        <Fact name={text.held} value={totals.memories} detail={behind > 0 ? text.behind(behind) : text.heldDetail(totals.superseded)} wide />
        {cycle.map(({ phase, events, last }) => (
          <Fact key={phase} name={text.phases[phase]} value={events} detail={last === null ? text.never : text.last(formatDay(last))} />
        ))}
      </dl>
      <p className="mt-2 text-base text-ink-soft [overflow-wrap:anywhere]">
        {text.log} <code className="text-[0.9em]">{logs[0]?.path}</code>
        {overview.embedder !== null && ` · ${overview.embedder} · ${overview.backends.join(", ")}`}
      </p>
    </section>
  );
}

interface FactProps {
  name: string;
  value: number;
  detail: string;
  /** Takes a whole row of a phone, where the others stand in pairs. */
  wide?: boolean;
}

function Fact({ name, value, detail, wide = false }: FactProps): ReactNode {
  return (
    <div className={`flex flex-col bg-card px-4 py-2.5 ${wide ? "max-sm:col-span-2 sm:max-xl:col-span-2" : ""}`}>
      <dt className="text-base text-ink-soft">{name}</dt>
      <dd className="flex flex-col">
        <span className="text-xl font-semibold tabular-nums">{value.toLocaleString()}</span>
        <span className="text-base text-ink-soft">{detail}</span>
      </dd>
    </div>
  );
}
