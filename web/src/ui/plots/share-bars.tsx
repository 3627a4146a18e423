/** Shares as bars in a table: the numbers stand beside them, so nothing is behind. */

import { clsx } from "clsx";
import type { ReactNode } from "react";

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
