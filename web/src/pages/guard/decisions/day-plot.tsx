/** Where Paige stepped in, day by day, as stacked bars; what was let through is in the numbers behind. */

import type { ReactNode } from "react";

import { guardStrings } from "../../../strings-guard";
import { BottomLabels, HorizontalGrid, MARGIN } from "../../../ui/plots/axes";
import { longDay, shortDay } from "../../../ui/plots/days";
import { Plot, type PlotSize } from "../../../ui/plots/plot";
import { bands, labelled, linear, wholeTicks } from "../../../ui/plots/scales";
import type { GuardCounts, GuardDay } from "../../../wire/generated";

const text = guardStrings.plot;
const HEIGHT = 170;
const PARTS = [
  { verdict: "denied", fill: "fill-fail", swatch: "bg-fail" },
  { verdict: "asked", fill: "fill-warn", swatch: "bg-warn" },
  { verdict: "changed", fill: "fill-accent", swatch: "bg-accent" },
  { verdict: "fault", fill: "fill-ink", swatch: "bg-ink" },
] as const satisfies { verdict: keyof GuardCounts; fill: string; swatch: string }[];

export function DayPlot({ days }: { days: GuardDay[] }): ReactNode {
  const total = days.reduce((sum, { counts }) => sum + steppedIn(counts), 0);
  const inner = ({ width }: PlotSize): number => width - MARGIN.left - MARGIN.right;
  return (
    <Plot
      name={text.name}
      summary={text.summary(total)}
      height={HEIGHT}
      first="last"
      points={days.map(({ day, counts }) => text.point(longDay(day), counts))}
      pointAt={(x, _, size) => {
        const place = Math.floor(((x - MARGIN.left) / inner(size)) * days.length);
        return Math.min(Math.max(place, 0), days.length - 1);
      }}
      legend={<Legend />}
      table={{
        columns: [...text.columns],
        rows: days.map(({ day, counts }) => [
          longDay(day),
          ...[counts.denied, counts.asked, counts.changed, counts.fault, counts.passed].map(String),
        ]),
      }}
    >
      {(size, active) => <Bars days={days} width={size.width} inner={inner(size)} active={active} />}
    </Plot>
  );
}

function Legend(): ReactNode {
  return (
    <span aria-hidden className="flex flex-wrap gap-x-4">
      {PARTS.map(({ verdict, swatch }) => (
        <span key={verdict} className="flex items-center gap-1.5">
          <span className={`size-3 rounded-sm ${swatch}`} />
          {guardStrings.verdicts[verdict]}
        </span>
      ))}
    </span>
  );
}

function Bars({ days, width, inner, active }: { days: GuardDay[]; width: number; inner: number; active: number | null }): ReactNode {
  const bottom = HEIGHT - MARGIN.bottom;
  const right = width - MARGIN.right;
  const ticks = wholeTicks(Math.max(0, ...days.map(({ counts }) => steppedIn(counts))), 3);
  const y = linear([0, ticks.at(-1) ?? 1], [bottom, MARGIN.top]);
  const row = bands(days.length, inner, 0.25);
  return (
    <>
      <HorizontalGrid labels={ticks.map((tick) => ({ at: y(tick), text: String(tick) }))} left={MARGIN.left} right={right} />
      {days.map(({ day, counts }, place) => (
        <g key={day}>
          {active === place && (
            <rect x={MARGIN.left + row.at(place) - 2} width={row.width + 4} y={MARGIN.top} height={bottom - MARGIN.top} className="fill-line" />
          )}
          <Stack counts={counts} x={MARGIN.left + row.at(place)} width={row.width} y={y} />
        </g>
      ))}
      <line x1={MARGIN.left} x2={right} y1={bottom} y2={bottom} className="stroke-edge" shapeRendering="crispEdges" />
      <BottomLabels
        y={bottom}
        left={MARGIN.left}
        right={right}
        labels={labelled(days.length, inner, 76).map((place) => ({
          at: MARGIN.left + row.at(place) + row.width / 2,
          text: shortDay(days[place]?.day ?? ""),
        }))}
      />
    </>
  );
}

function Stack({ counts, x, width, y }: { counts: GuardCounts; x: number; width: number; y: (value: number) => number }): ReactNode {
  let below = 0;
  return PARTS.map(({ verdict, fill }) => {
    const from = below;
    below += counts[verdict];
    if (counts[verdict] === 0) return null;
    return <rect key={verdict} x={x} width={width} y={y(below)} height={Math.max(y(from) - y(below) - 1, 1)} className={fill} />;
  });
}

function steppedIn({ denied, asked, changed, fault }: GuardCounts): number {
  return denied + asked + changed + fault;
}
