/** Whether work goes better since guards were learned: each number before and after, with its aim. */

import { Minus, TrendingDown, TrendingUp } from "lucide-react";
import type { ReactNode } from "react";

import { orchestraStrings } from "../../../strings-guard-orchestra";
import { QueryError } from "../../../ui/error-panel";
import { Plot } from "../../../ui/plots/plot";
import { linear } from "../../../ui/plots/scales";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { LearnedMetric } from "../../../wire/generated";
import { Empty } from "../../../ui/empty";
import { When } from "../when";
import { useMetrics } from "./hooks";

const text = orchestraStrings.metrics;
const ROW = 32;
const LEFT = 64;
const RIGHT = 92;

export function Metrics(): ReactNode {
  const metrics = useMetrics();
  return (
    <section aria-labelledby="metrics" className="mt-10">
      <h2 id="metrics" className="text-xl">
        {text.heading}
      </h2>
      <p className="mt-1 mb-4 text-ink-soft">
        {text.lead}
        {metrics.data?.since != null && (
          <>
            {" "}
            {text.since} <When at={metrics.data.since} />: {text.sessions(metrics.data.sessionsBefore, metrics.data.sessionsAfter)}
          </>
        )}
      </p>
      {metrics.data !== undefined ? (
        <All metrics={metrics.data.metrics} />
      ) : metrics.isError ? (
        <QueryError title={text.failed} query={metrics} />
      ) : (
        <Loading label={text.loading}>
          <Skeleton className="h-40" />
        </Loading>
      )}
    </section>
  );
}

function All({ metrics }: { metrics: readonly LearnedMetric[] }): ReactNode {
  if (metrics.every(({ before, after }) => before === null && after === null)) return <Empty title={text.none} hint={text.noneHint} />;
  return (
    <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      {metrics.map((metric) => (
        <li key={metric.name} className="rounded-lg border border-line bg-card p-4">
          <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
            <h3 className="text-lg">{metric.name}</h3>
            <Verdict metric={metric} />
          </div>
          <MetricPlot metric={metric} />
        </li>
      ))}
    </ul>
  );
}

function MetricPlot({ metric }: { metric: LearnedMetric }): ReactNode {
  const rows = [
    { name: text.before, value: metric.before, fill: "fill-edge" },
    { name: text.after, value: metric.after, fill: "fill-spine" },
  ];
  const most = Math.max(metric.unit === "share" ? 1 : 0, metric.target, ...rows.map(({ value }) => value ?? 0)) || 1;
  const shown = (value: number | null): string => text.value(value, metric.unit);
  return (
    <Plot
      name={metric.name}
      summary={`${metric.how} ${text.target}: ${shown(metric.target)}.`}
      height={rows.length * ROW}
      points={rows.map(({ name, value }) => text.point(name, shown(value)))}
      pointAt={(_, y) => Math.min(Math.max(Math.floor(y / ROW), 0), rows.length - 1)}
      keys={{ down: 1, right: 1 }}
      table={{
        columns: [...text.columns],
        rows: [...rows.map(({ name, value }) => [name, shown(value)]), [text.target, shown(metric.target)]],
      }}
    >
      {({ width }, active) => {
        const x = linear([0, most], [LEFT, width - RIGHT]);
        const aim = x(metric.target);
        return (
          <>
            {rows.map(({ name, value, fill }, place) => (
              <g key={name}>
                {active === place && <rect x={0} width={width} y={place * ROW} height={ROW} className="fill-line/60" />}
                <text x={LEFT - 10} y={place * ROW + ROW / 2} dy="0.35em" textAnchor="end" className="fill-ink text-[14px]">
                  {name}
                </text>
                <rect x={LEFT} width={Math.max(x(value ?? 0) - LEFT, value === null ? 0 : 1)} y={place * ROW + 7} height={ROW - 14} rx={2} className={fill} />
              </g>
            ))}
            <line x1={aim} x2={aim} y1={2} y2={rows.length * ROW - 2} className="stroke-ink" strokeWidth={2} strokeDasharray="3 3" />
            {rows.map(({ name, value }, place) => (
              <text
                key={name}
                x={x(value ?? 0) + 8}
                y={place * ROW + ROW / 2}
                dy="0.35em"
                // The number stays readable where the line of the aim passes through it.
                className="fill-ink stroke-card text-[14px] tabular-nums [paint-order:stroke] [stroke-width:5px]"
              >
                {shown(value)}
              </text>
            ))}
          </>
        );
      }}
    </Plot>
  );
}

function Verdict({ metric: { before, after, better, met } }: { metric: LearnedMetric }): ReactNode {
  if (before === null || after === null) return <span className="text-base text-ink-soft">{text.verdicts.unknown}</span>;
  const isUp = after > before;
  const Icon = after === before ? Minus : isUp ? TrendingUp : TrendingDown;
  const verdict = after === before ? "same" : isUp === (better === "higher") ? "better" : "worse";
  const colour = { same: "text-ink-soft", better: "text-ok", worse: "text-fail" }[verdict];
  return (
    <span className={`flex items-center gap-1.5 text-base font-semibold ${colour}`}>
      <Icon aria-hidden className="size-4.5" />
      {text.verdicts[verdict]}
      {met === true && `, ${text.met}`}
    </span>
  );
}
