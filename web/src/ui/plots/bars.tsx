/** A small bar plot, with its numbers in a table behind it. */

import { clsx } from "clsx";
import type { ReactNode } from "react";

import { DataTable } from "./plot";

interface Bar {
  name: string;
  value: number;
  shown: string;
  look?: "accent" | "soft";
}

interface BarsProps {
  caption: string;
  columns: { name: string; value: string };
  bars: Bar[];
  /** The value of a full bar; the largest one if left out. */
  most?: number;
}

export function Bars({ caption, columns, bars, most }: BarsProps): ReactNode {
  const full = most ?? Math.max(...bars.map(({ value }) => Math.abs(value)), 1e-9);
  return (
    <figure>
      <div aria-hidden className="grid grid-cols-[max-content_1fr_max-content] items-center gap-x-3 gap-y-1.5 text-base">
        {bars.map((bar) => (
          <BarRow key={bar.name} bar={bar} share={Math.min(Math.abs(bar.value) / full, 1)} />
        ))}
      </div>
      <DataTable
        caption={caption}
        table={{ columns: [columns.name, columns.value], rows: bars.map(({ name, shown }) => [name, shown]) }}
        className="max-w-md"
      />
    </figure>
  );
}

function BarRow({ bar, share }: { bar: Bar; share: number }): ReactNode {
  const color = bar.value < 0 ? "bg-fail" : bar.look === "soft" ? "bg-edge" : "bg-accent";
  return (
    <>
      <span className="max-w-40 text-ink-soft">{bar.name}</span>
      <span className="h-3 overflow-hidden rounded-sm bg-line/60">
        <span className={`block h-full rounded-sm ${color}`} style={{ width: `${share * 100}%` }} />
      </span>
      <span className="text-right tabular-nums">{bar.shown}</span>
    </>
  );
}

// Shares as bars in a table: the numbers stand beside them, so nothing is behind.

export interface ShareRow {
  id: string;
  name: ReactNode;
  /** From 0 to 1. */
  share: number;
  shown: string;
  /** A remark below the name. */
  note?: ReactNode;
}

interface ShareBarsProps {
  caption: string;
  columns: [string, string];
  rows: readonly ShareRow[];
  /** A share to be compared with; the caption has to name it. */
  mark?: number;
  /** The names are sentences: small screens put the bars below them. */
  isWordy?: boolean;
}

export function ShareBars({ caption, columns, rows, mark, isWordy = false }: ShareBarsProps): ReactNode {
  return (
    <table className={clsx("w-full border-collapse text-left", isWordy && "stacked")}>
      <caption className="sr-only">{caption}</caption>
      <thead className="sr-only">
        <tr>
          <th scope="col">{columns[0]}</th>
          <th scope="col">{columns[1]}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map((row) => (
          <tr key={row.id} className="border-b border-rule last:border-0">
            <th scope="row" className="w-1/2 py-2 pr-3 align-top font-normal">
              {row.name}
              {row.note !== undefined && <span className="block text-base text-ink-soft">{row.note}</span>}
            </th>
            <td className="py-2 align-top">
              <span className="flex items-center gap-3">
                <span aria-hidden className="relative h-3 flex-1 rounded-sm bg-line/60">
                  <span className="block h-full rounded-sm bg-spine" style={{ width: `${Math.min(Math.max(row.share, 0), 1) * 100}%` }} />
                  {mark !== undefined && (
                    <span className="absolute -inset-y-1 w-0.5 bg-ink" style={{ left: `calc(${mark * 100}% - 1px)` }} />
                  )}
                </span>
                <span className="min-w-12 text-right tabular-nums">{row.shown}</span>
              </span>
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
