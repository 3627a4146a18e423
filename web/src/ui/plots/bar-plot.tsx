/** A number for every day, as bars; the first day stands out because it is today. */

import type { ReactNode } from "react";

import { plotStrings } from "../strings";
import { longDay, shortDay } from "./days";
import { BottomLabels, HorizontalGrid, MARGIN, Plot, type PlotSize, VerticalMark } from "./plot";
import { bandAt, bands, labelled, linear, wholeTicks } from "./scales";

export interface DayBar {
  day: string;
  value: number;
}

interface BarPlotProps {
  name: string;
  summary: string;
  bars: readonly DayBar[];
  read: (bar: DayBar) => string;
  mark?: { day: string; text: string } | null;
  columns: [string, string];
}

const HEIGHT = 200;

export function BarPlot({ name, summary, bars, read, mark = null, columns }: BarPlotProps): ReactNode {
  const inner = ({ width }: PlotSize): number => width - MARGIN.left - MARGIN.right;
  return (
    <Plot
      name={name}
      summary={summary}
      height={HEIGHT}
      points={bars.map(read)}
      pointAt={(x, _, size) => bandAt(x, MARGIN.left, inner(size), bars.length)}
      table={{ columns, rows: bars.map(({ day, value }) => [longDay(day), String(value)]) }}
    >
      {(size, active) => <Bars bars={bars} mark={mark} size={size} active={active} inner={inner(size)} />}
    </Plot>
  );
}

type BarsProps = Pick<BarPlotProps, "bars" | "mark"> & { size: PlotSize; active: number | null; inner: number };

function Bars({ bars, mark, size, active, inner }: BarsProps): ReactNode {
  const bottom = HEIGHT - MARGIN.bottom;
  const right = size.width - MARGIN.right;
  const ticks = wholeTicks(Math.max(0, ...bars.map(({ value }) => value)), 4);
  const y = linear([0, ticks.at(-1) ?? 1], [bottom, MARGIN.top]);
  const row = bands(bars.length, inner, 0.28);
  const marked = mark == null ? -1 : bars.findIndex(({ day }) => day === mark.day);
  const centre = (place: number): number => MARGIN.left + row.at(place) + row.width / 2;
  return (
    <>
      <HorizontalGrid labels={ticks.map((tick) => ({ at: y(tick), text: String(tick) }))} left={MARGIN.left} right={right} />
      {bars.map(({ day, value }, place) => (
        <g key={day}>
          {active === place && (
            <rect x={MARGIN.left + row.at(place) - 3} width={row.width + 6} y={MARGIN.top} height={bottom - MARGIN.top} className="fill-line" />
          )}
          <rect
            x={MARGIN.left + row.at(place)}
            width={row.width}
            y={y(value)}
            height={Math.max(bottom - y(value), 0)}
            rx={Math.min(3, row.width / 3)}
            className={place === 0 ? "fill-accent" : "fill-spine"}
          />
        </g>
      ))}
      <line x1={MARGIN.left} x2={right} y1={bottom} y2={bottom} className="stroke-edge" shapeRendering="crispEdges" />
      {marked >= 0 && <VerticalMark at={centre(marked)} top={MARGIN.top} bottom={bottom} text={mark?.text ?? ""} right={right} />}
      <BottomLabels
        y={bottom}
        left={MARGIN.left}
        right={right}
        labels={labelled(bars.length, inner, 76).map((place) => ({
          at: centre(place),
          text: place === 0 ? plotStrings.today : shortDay(bars[place]?.day ?? ""),
        }))}
      />
    </>
  );
}
