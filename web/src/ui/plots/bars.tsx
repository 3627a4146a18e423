/** A small bar plot, with its numbers in a table behind it. */

import type { ReactNode } from "react";

import { strings } from "../../strings";

export interface Bar {
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
      <details className="mt-2">
        <summary className="w-fit cursor-pointer text-base text-ink-soft hover:text-accent">{strings.memory.detail.asTable}</summary>
        <table className="mt-1 w-full max-w-md text-left text-base">
          <caption className="sr-only">{caption}</caption>
          <thead>
            <tr className="border-b border-edge">
              <th scope="col" className="py-1 pr-4">{columns.name}</th>
              <th scope="col" className="py-1 text-right">{columns.value}</th>
            </tr>
          </thead>
          <tbody>
            {bars.map(({ name, shown }) => (
              <tr key={name} className="border-b border-rule">
                <th scope="row" className="py-1 pr-4 font-normal">{name}</th>
                <td className="py-1 text-right tabular-nums">{shown}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
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
