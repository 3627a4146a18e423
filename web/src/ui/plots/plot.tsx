/**
 * The frame of every plot: a picture with a name, a line that reads out one point of it, and a table behind.
 * The point is chosen with the pointer, or with the arrow keys once the plot has the focus.
 */

import { type KeyboardEvent, type PointerEvent, type ReactNode, useState } from "react";

import { plotStrings } from "../../strings-ui";
import { DataTable, type TableData } from "./data-table";
import { useWidth } from "./use-width";

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
