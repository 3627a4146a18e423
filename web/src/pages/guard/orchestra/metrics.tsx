/** Whether work goes better since guards were learned: each number before and after, with its aim. */

import { Minus, TrendingDown, TrendingUp } from "lucide-react";
import type { ReactNode } from "react";

import { orchestraStrings } from "../../../strings-guard-orchestra";
import { Answered } from "../../../ui/answered";
import { Mark } from "../../../ui/badge";
import { Card } from "../../../ui/card";
import { Empty } from "../../../ui/empty";
import { RowPlot } from "../../../ui/plots/row-plot";
import { Section } from "../../../ui/section";
import { Skeleton } from "../../../ui/skeleton";
import { When } from "../../../ui/when";
import type { LearnedMetric } from "../../../wire/generated";
import { useMetrics } from "./hooks";

const text = orchestraStrings.metrics;

export function Metrics(): ReactNode {
  const metrics = useMetrics();
  return (
    <Section
      heading={text.heading}
      lead={
        <>
          {text.lead}
          {metrics.data?.since != null && (
            <>
              {" "}
              {text.since} <When as="recent" at={metrics.data.since} />: {text.sessions(metrics.data.sessionsBefore, metrics.data.sessionsAfter)}
            </>
          )}
        </>
      }
    >
      <Answered query={metrics} words={text} skeleton={<Skeleton className="h-40" />}>
        {(found) => <All metrics={found.metrics} />}
      </Answered>
    </Section>
  );
}

function All({ metrics }: { metrics: readonly LearnedMetric[] }): ReactNode {
  if (metrics.every(({ before, after }) => before === null && after === null)) return <Empty title={text.none} hint={text.noneHint} />;
  return (
    <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      {metrics.map((metric) => (
        <Card as="li" key={metric.name}>
          <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
            <h3 className="text-lg">{metric.name}</h3>
            <Verdict metric={metric} />
          </div>
          <MetricPlot metric={metric} />
        </Card>
      ))}
    </ul>
  );
}

function MetricPlot({ metric }: { metric: LearnedMetric }): ReactNode {
  const shown = (value: number | null): string => text.value(value, metric.unit);
  const rows = [
    { name: text.before, value: metric.before, shown: shown(metric.before), fill: "fill-edge" },
    { name: text.after, value: metric.after, shown: shown(metric.after), fill: "fill-spine" },
  ];
  return (
    <RowPlot
      name={metric.name}
      summary={`${metric.how} ${text.target}: ${shown(metric.target)}.`}
      rows={rows}
      most={Math.max(metric.unit === "share" ? 1 : 0, metric.target, ...rows.map(({ value }) => value ?? 0)) || 1}
      aim={metric.target}
      left={64}
      right={92}
      read={(row) => text.point(row.name, row.shown)}
      table={{
        columns: [...text.columns],
        rows: [...rows.map((row) => [row.name, row.shown]), [text.target, shown(metric.target)]],
      }}
    />
  );
}

function Verdict({ metric: { before, after, better, met } }: { metric: LearnedMetric }): ReactNode {
  if (before === null || after === null) return <span className="text-base text-ink-soft">{text.verdicts.unknown}</span>;
  const isUp = after > before;
  const icon = after === before ? Minus : isUp ? TrendingUp : TrendingDown;
  const verdict = after === before ? "same" : isUp === (better === "higher") ? "better" : "worse";
  const tone = ({ same: "soft", better: "ok", worse: "fail" } as const)[verdict];
  return (
    <Mark tone={tone} icon={icon} className="text-base">
      {`${text.verdicts[verdict]}${met === true ? `, ${text.met}` : ""}`}
    </Mark>
  );
}
