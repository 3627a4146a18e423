/** The numbers behind a plot, for everybody who would rather read than look. */

import { clsx } from "clsx";
import type { ReactNode } from "react";

import { plotStrings } from "../../strings-ui";
import { More } from "../more";

export interface TableData {
  columns: string[];
  /** The first of a row is its name. */
  rows: string[][];
}

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
