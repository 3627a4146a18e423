/**
 * The frame of every plot: a picture with a name, a line that reads out one point of it, and a table behind.
 * The point is chosen with the pointer, or with the arrow keys once the plot has the focus.
 */

import { clsx } from "clsx";
import {
  type KeyboardEvent,
  type PointerEvent,
  type ReactNode,
  type RefObject,
  useLayoutEffect,
  useRef,
  useState,
} from "react";

import { More } from "../button";
import { plotStrings } from "../strings";

export interface PlotSize {
  width: number;
  height: number;
}

interface Keys {
  down: number;
  right: number;
}

interface PlotProps {
  /** What is plotted. */
  name: string;
  /** What the plot says, in a sentence; it stands below it while no point is chosen. */
  summary: string;
  height: number | ((width: number) => number);
  /** What is read out for each point; a narrow plot may have fewer of them. */
  points: readonly string[] | ((width: number) => readonly string[]);
  /** The point at a place of the picture. */
  pointAt: (x: number, y: number, size: PlotSize) => number | null;
  /** How many points the arrow keys go on, down and to the right. */
  keys?: Keys;
  /** The point the keys begin with. */
  first?: "first" | "last";
  legend?: ReactNode;
  table: TableData;
  children: (size: PlotSize, active: number | null) => ReactNode;
}

const ONE: Keys = { down: -1, right: 1 };

export function Plot(props: PlotProps): ReactNode {
  const { name, summary, pointAt, keys = ONE, legend, table, children } = props;
  const [ref, width] = useWidth<HTMLDivElement>();
  const points = typeof props.points === "function" ? props.points(width) : props.points;
  const size = { width, height: typeof props.height === "number" ? props.height : props.height(width) };
  const [chosen, setChosen] = useState<number | null>(null);
  const active = chosen !== null && chosen < points.length ? chosen : null;
  const last = points.length - 1;
  const first = props.first === "last" ? last : 0;
  const move = (event: KeyboardEvent): void => {
    const to = target(event.key, active ?? first, last, keys);
    if (to === null) return;
    event.preventDefault();
    setChosen(to);
  };
  const follow = (event: PointerEvent<HTMLDivElement>): void => {
    const box = event.currentTarget.getBoundingClientRect();
    setChosen(pointAt(event.clientX - box.left, event.clientY - box.top, size));
  };
  const leave = (): void => {
    setChosen(null);
  };
  return (
    <figure className="m-0">
      <div ref={ref} className="relative" style={{ height: size.height }}>
        <svg role="img" aria-label={`${name}. ${summary}`} width={size.width} height={size.height} className="block overflow-visible">
          {children(size, active)}
        </svg>
        {points.length > 0 && (
          <div
            role="slider"
            tabIndex={0}
            aria-label={plotStrings.points(name)}
            aria-valuemin={1}
            aria-valuemax={points.length}
            aria-valuenow={(active ?? first) + 1}
            aria-valuetext={points[active ?? first]}
            className="absolute inset-0 rounded"
            onKeyDown={move}
            onFocus={() => {
              setChosen((before) => before ?? first);
            }}
            onBlur={leave}
            onPointerMove={follow}
            onPointerDown={follow}
            onPointerLeave={leave}
          />
        )}
      </div>
      <figcaption className="mt-1 flex min-h-[3.2em] flex-wrap items-start justify-between gap-x-4 text-base text-ink-soft sm:min-h-[1.6em]">
        <span aria-hidden={active !== null} className={active === null ? "" : "font-semibold text-ink"}>
          {active === null ? summary : points[active]}
        </span>
        {legend}
      </figcaption>
      <DataTable caption={name} table={table} />
    </figure>
  );
}

function target(key: string, from: number, last: number, { down, right }: Keys): number | null {
  const steps: Record<string, number> = { ArrowRight: right, ArrowLeft: -right, ArrowDown: down, ArrowUp: -down };
  if (key === "Home") return 0;
  if (key === "End") return last;
  const step = steps[key];
  return step === undefined ? null : Math.min(Math.max(from + step, 0), last);
}

// The lines and labels around a plot.

export const MARGIN = { left: 42, right: 8, top: 12, bottom: 26 };
const TEXT = "fill-ink-soft text-[13px] tabular-nums";

interface Label {
  at: number;
  text: string;
}

export function HorizontalGrid({ labels, left, right }: { labels: Label[]; left: number; right: number }): ReactNode {
  return (
    <g>
      {labels.map(({ at, text }) => (
        <g key={text}>
          <line x1={left} x2={right} y1={at} y2={at} className="stroke-rule" shapeRendering="crispEdges" />
          <text x={left - 8} y={at} dy="0.35em" textAnchor="end" className={TEXT}>
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Labels below; the first and the last are kept inside. */
export function BottomLabels({ labels, y, left, right }: { labels: Label[]; y: number; left: number; right: number }): ReactNode {
  return (
    <g>
      {labels.map(({ at, text }) => (
        <text
          key={`${at} ${text}`}
          x={Math.min(Math.max(at, left), right)}
          y={y + 18}
          textAnchor={at - left < 20 ? "start" : right - at < 20 ? "end" : "middle"}
          className={TEXT}
        >
          {text}
        </text>
      ))}
    </g>
  );
}

/** A mark across the plot with a name, such as the day of an exam. */
export function VerticalMark({ at, top, bottom, text, right }: { at: number; top: number; bottom: number; text: string; right: number }): ReactNode {
  const isFar = at > right - 90;
  return (
    <g>
      <line x1={at} x2={at} y1={top} y2={bottom} className="stroke-fail" strokeWidth={2} strokeDasharray="2 4" />
      <text x={isFar ? at - 6 : at + 6} y={top + 10} textAnchor={isFar ? "end" : "start"} className="fill-fail text-[13px] font-semibold">
        {text}
      </text>
    </g>
  );
}

export interface TableData {
  columns: string[];
  /** The first of a row is its name. */
  rows: string[][];
}

/** The numbers behind a plot, for everybody who would rather read than look. */
export function DataTable({ caption, table, className }: { caption: string; table: TableData; className?: string }): ReactNode {
  return (
    <More words={plotStrings.asTable} about={caption} className={clsx("mt-2", className)}>
      <table className="mt-2 w-full text-left text-base">
        <caption className="sr-only">{caption}</caption>
        <thead>
          <tr className="border-b border-edge align-bottom">
            {table.columns.map((column, place) => (
              <th key={column} scope="col" className={place === 0 ? "py-1 pr-3" : "py-1 pl-3 text-right"}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {table.rows.map(([name, ...cells]) => (
            <tr key={name} className="border-b border-rule align-top">
              <th scope="row" className="py-1 pr-3 font-normal">
                {name}
              </th>
              {cells.map((cell, place) => (
                <td key={place} className="py-1 pl-3 text-right tabular-nums">
                  {cell}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </More>
  );
}

const BEFORE_MEASURED = 640;

/** How wide something is drawn, so that plots are made for it and their texts keep their size. */
export function useWidth<T extends HTMLElement>(): [RefObject<T | null>, number] {
  const ref = useRef<T | null>(null);
  const [width, setWidth] = useState(BEFORE_MEASURED);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = (): void => {
      // Nothing is measured where nothing is drawn, as in tests.
      if (element.clientWidth > 0) setWidth(element.clientWidth);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    return () => {
      observer.disconnect();
    };
  }, []);
  return [ref, width];
}
