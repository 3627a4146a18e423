/** A small bar plot, with its numbers in a table behind it. */

import type { ReactNode } from "react";

import { DataTable } from "./plot";

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
