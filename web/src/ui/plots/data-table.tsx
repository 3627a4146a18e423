/** The numbers behind a plot, for everybody who would rather read than look. */

import type { ReactNode } from "react";

import { plotStrings } from "../../strings-study-progress";

export interface TableData {
  columns: string[];
  /** The first of a row is its name. */
  rows: string[][];
}

export function DataTable({ caption, table }: { caption: string; table: TableData }): ReactNode {
  return (
    <details className="mt-2">
      <summary className="w-fit cursor-pointer text-base text-ink-soft hover:text-accent">
        {plotStrings.asTable}
        <span className="sr-only">: {caption}</span>
      </summary>
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
    </details>
  );
}
