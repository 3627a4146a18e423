/** A share over days, with a dashed line for what is aimed at. */

import { type ReactNode, useId } from "react";

import { plotStrings } from "../strings";
import { BottomLabels, HorizontalGrid, MARGIN, Plot, type PlotSize, VerticalMark } from "./plot";
import { labelled, linear, lineThrough, longDay, shareTicks, shortDay } from "./scales";

interface SharePoint {
  day: string;
  share: number;
}

interface LinePlotProps {
  name: string;
  summary: string;
  points: readonly SharePoint[];
  read: (point: SharePoint) => string;
  aim: { share: number; text: string };
  mark?: { day: string; text: string } | null;
  columns: [string, string];
}

const HEIGHT = 240;
const percent = (share: number): string => `${Math.round(share * 100)}%`;

export function LinePlot({ name, summary, points, read, aim, mark = null, columns }: LinePlotProps): ReactNode {
  const at = ({ width }: PlotSize) => linear([0, Math.max(points.length - 1, 1)], [MARGIN.left, width - MARGIN.right]);
  return (
    <Plot
      name={name}
      summary={summary}
      height={HEIGHT}
      points={points.map(read)}
      pointAt={(x, _, size) => {
        const { from, to } = at(size);
        return Math.min(Math.max(Math.round(linear(to, from)(x)), 0), points.length - 1);
      }}
      table={{ columns, rows: points.map(({ day, share }) => [longDay(day), percent(share)]) }}
    >
      {(size, active) => <Lines points={points} aim={aim} mark={mark} size={size} active={active} x={at(size)} />}
    </Plot>
  );
}

type LinesProps = Pick<LinePlotProps, "points" | "aim" | "mark"> & {
  size: PlotSize;
  active: number | null;
  x: (place: number) => number;
};

function Lines({ points, aim, mark, size, active, x }: LinesProps): ReactNode {
  const fade = useId();
  const ticks = shareTicks(Math.min(aim.share, ...points.map(({ share }) => share)));
  const bottom = HEIGHT - MARGIN.bottom;
  const right = size.width - MARGIN.right;
  const y = linear([ticks[0] ?? 0, 1], [bottom, MARGIN.top]);
  const line = lineThrough(points.map(({ share }, place) => [x(place), y(share)] as const));
  const marked = mark == null ? -1 : points.findIndex(({ day }) => day === mark.day);
  const chosen = active === null ? undefined : points[active];
  const aimBelow = (points.at(-1)?.share ?? 0) > aim.share;
  return (
    <>
      <defs>
        <linearGradient id={fade} x1="0" x2="0" y1="0" y2="1">
          <stop offset="0" stopColor="var(--spine)" stopOpacity="0.35" />
          <stop offset="1" stopColor="var(--spine)" stopOpacity="0.03" />
        </linearGradient>
      </defs>
      <HorizontalGrid labels={ticks.map((tick) => ({ at: y(tick), text: percent(tick) }))} left={MARGIN.left} right={right} />
      <path d={`${line}V${bottom}H${x(0)}Z`} fill={`url(#${fade})`} />
      <line x1={MARGIN.left} x2={right} y1={y(aim.share)} y2={y(aim.share)} className="stroke-ink" strokeWidth={1.5} strokeDasharray="6 5" />
      <text x={right} y={y(aim.share) + (aimBelow ? 16 : -6)} textAnchor="end" className="fill-ink text-[13px] font-semibold">
        {aim.text}
      </text>
      <path d={line} fill="none" className="stroke-door-ink" strokeWidth={2.5} strokeLinejoin="round" />
      {marked >= 0 && <VerticalMark at={x(marked)} top={MARGIN.top} bottom={bottom} text={mark?.text ?? ""} right={right} />}
      {chosen !== undefined && active !== null && (
        <g>
          <line x1={x(active)} x2={x(active)} y1={MARGIN.top} y2={bottom} className="stroke-edge" shapeRendering="crispEdges" />
          <circle cx={x(active)} cy={y(chosen.share)} r={6} className="fill-door-ink stroke-card" strokeWidth={2} />
        </g>
      )}
      <BottomLabels
        y={bottom}
        left={MARGIN.left}
        right={right}
        labels={labelled(points.length, size.width - MARGIN.left, 76).map((place) => ({
          at: x(place),
          text: place === 0 ? plotStrings.today : shortDay(points[place]?.day ?? ""),
        }))}
      />
    </>
  );
}
