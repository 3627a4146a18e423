/** Several numbers for every day, as bars on top of each other. */

import type { ReactNode } from "react";

import { BottomLabels, HorizontalGrid, MARGIN, Plot, type PlotSize } from "./plot";
import { bandAt, bands, labelled, linear, longDay, shortDay, wholeTicks } from "./scales";

interface StackPart<Key extends string> {
  key: Key;
  name: string;
  /** A class of a fill, such as one of `FILLS`. */
  fill: string;
}

export interface StackDay<Key extends string> {
  /** As 2026-05-01. */
  day: string;
  values: Readonly<Partial<Record<Key, number>>>;
}

/** The colours of plots, in the order in which parts take them. */
export const FILLS = ["fill-spine", "fill-accent", "fill-warn", "fill-ok", "fill-fail", "fill-edge", "fill-ink"] as const;

interface StackedPlotProps<Key extends string> {
  name: string;
  summary: string;
  parts: readonly StackPart<Key>[];
  days: readonly StackDay<Key>[];
  read: (day: StackDay<Key>) => string;
  /** The name of the first column and of others that are not drawn. */
  columns: readonly string[];
  row?: (day: StackDay<Key>) => string[];
  /** The labels of the scale; whole numbers if left out. */
  ticks?: (most: number) => number[];
  show?: (value: number) => string;
}

const HEIGHT = 180;

export function StackedPlot<Key extends string>(props: StackedPlotProps<Key>): ReactNode {
  const { name, summary, parts, days, read, columns, show = String } = props;
  const row = props.row ?? (({ values }) => parts.map(({ key }) => show(values[key] ?? 0)));
  const inner = ({ width }: PlotSize): number => width - MARGIN.left - MARGIN.right;
  return (
    <Plot
      name={name}
      summary={summary}
      height={HEIGHT}
      first="last"
      points={days.map(read)}
      pointAt={(x, _, size) => bandAt(x, MARGIN.left, inner(size), days.length)}
      legend={parts.length > 1 && <Legend parts={parts} />}
      table={{ columns: [...columns], rows: days.map((day) => [longDay(day.day), ...row(day)]) }}
    >
      {(size, active) => <Stacks {...props} width={size.width} inner={inner(size)} active={active} />}
    </Plot>
  );
}

function Legend({ parts }: { parts: readonly StackPart<string>[] }): ReactNode {
  return (
    <span aria-hidden className="flex flex-wrap gap-x-4">
      {parts.map(({ key, name, fill }) => (
        <span key={key} className="flex items-center gap-1.5">
          <svg className="size-3" viewBox="0 0 12 12">
            <rect width="12" height="12" rx="2" className={fill} />
          </svg>
          {name}
        </span>
      ))}
    </span>
  );
}

type StacksProps<Key extends string> = Pick<StackedPlotProps<Key>, "parts" | "days" | "ticks" | "show"> & {
  width: number;
  inner: number;
  active: number | null;
};

function Stacks<Key extends string>({ parts, days, ticks: makeTicks, show = String, width, inner, active }: StacksProps<Key>): ReactNode {
  const bottom = HEIGHT - MARGIN.bottom;
  const right = width - MARGIN.right;
  const most = Math.max(0, ...days.map(({ values }) => parts.reduce((sum, { key }) => sum + (values[key] ?? 0), 0)));
  const ticks = makeTicks?.(most) ?? wholeTicks(most, 3);
  const y = linear([0, ticks.at(-1) ?? 1], [bottom, MARGIN.top]);
  const row = bands(days.length, inner, 0.25);
  return (
    <>
      <HorizontalGrid labels={ticks.map((tick) => ({ at: y(tick), text: show(tick) }))} left={MARGIN.left} right={right} />
      {days.map((day, place) => (
        <g key={day.day}>
          {active === place && (
            <rect x={MARGIN.left + row.at(place) - 2} width={row.width + 4} y={MARGIN.top} height={bottom - MARGIN.top} className="fill-line" />
          )}
          <Stack day={day} parts={parts} x={MARGIN.left + row.at(place)} width={row.width} y={y} />
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

interface StackProps<Key extends string> {
  day: StackDay<Key>;
  parts: readonly StackPart<Key>[];
  x: number;
  width: number;
  y: (value: number) => number;
}

function Stack<Key extends string>({ day: { values }, parts, x, width, y }: StackProps<Key>): ReactNode {
  let below = 0;
  return parts.map(({ key, fill }) => {
    const value = values[key] ?? 0;
    const from = below;
    below += value;
    if (value === 0) return null;
    return <rect key={key} x={x} width={width} y={y(below)} height={Math.max(y(from) - y(below) - 1, 1)} className={fill} />;
  });
}
