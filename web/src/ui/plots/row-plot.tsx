/** A number for each of a few things, as bars from left to right. */

import type { ReactNode } from "react";

import { Plot } from "./plot";
import { linear } from "./scales";

interface RowBar {
  name: string;
  /** Null where nothing is known. */
  value: number | null;
  shown: string;
  fill: string;
}

interface RowPlotProps {
  name: string;
  summary: string;
  rows: readonly RowBar[];
  /** The value of a full bar. */
  most: number;
  /** A dashed line to compare with. */
  aim?: number;
  /** How much room the names and the numbers take. */
  left: number;
  right: number;
  read: (row: RowBar) => string;
  table: { columns: string[]; rows: string[][] };
}

const ROW = 34;

export function RowPlot({ name, summary, rows, most, aim, left: widest, right, read, table }: RowPlotProps): ReactNode {
  return (
    <Plot
      name={name}
      summary={summary}
      height={rows.length * ROW}
      points={rows.map(read)}
      pointAt={(_, y) => Math.min(Math.max(Math.floor(y / ROW), 0), rows.length - 1)}
      keys={{ down: 1, right: 1 }}
      table={table}
    >
      {({ width }, active) => {
        const left = Math.min(widest, width * 0.48);
        const x = linear([0, most], [left, width - right]);
        return (
          <>
            {rows.map((row, place) => (
              <g key={row.name}>
                {active === place && <rect x={0} width={width} y={place * ROW} height={ROW} className="fill-line/60" />}
                <text x={left - 10} y={place * ROW + ROW / 2} dy="0.35em" textAnchor="end" className="fill-ink text-[14px]">
                  {row.name}
                </text>
                <rect
                  x={left}
                  width={Math.max(x(row.value ?? 0) - left, row.value === null ? 0 : 1)}
                  y={place * ROW + 8}
                  height={ROW - 16}
                  rx={2}
                  className={row.fill}
                />
              </g>
            ))}
            {aim !== undefined && (
              <line x1={x(aim)} x2={x(aim)} y1={2} y2={rows.length * ROW - 2} className="stroke-ink" strokeWidth={2} strokeDasharray="3 3" />
            )}
            {rows.map((row, place) => (
              <text
                key={row.name}
                x={x(row.value ?? 0) + 8}
                y={place * ROW + ROW / 2}
                dy="0.35em"
                // The number stays readable where the line of the aim passes through it.
                className="fill-ink stroke-card text-[14px] tabular-nums [paint-order:stroke] [stroke-width:5px]"
              >
                {row.shown}
              </text>
            ))}
          </>
        );
      }}
    </Plot>
  );
}
