/** Where things stand, in a few numbers beside each other. */

import { clsx } from "clsx";
import type { ReactNode } from "react";

export interface Figure {
  key: string;
  /** What is counted: a word, perhaps with a mark. */
  name: ReactNode;
  value: ReactNode;
  note?: ReactNode;
}

interface FiguresProps {
  label?: string;
  figures: readonly Figure[];
  /** The numbers change while they are looked at, and that is said. */
  isLive?: boolean;
  /** How many stand beside each other where there is room. */
  columns: 2 | 3 | 4 | 5 | 6;
  className?: string;
}

const COLUMNS = {
  2: "grid-cols-2 *:last:odd:col-span-2",
  3: "grid-cols-2 sm:grid-cols-3",
  4: "grid-cols-2 lg:grid-cols-4",
  5: "grid-cols-2 sm:grid-cols-3 xl:grid-cols-5",
  6: "grid-cols-2 sm:grid-cols-3 xl:grid-cols-6",
};

export function Figures({ label, figures, isLive = false, columns, className }: FiguresProps): ReactNode {
  return (
    <dl
      aria-label={label}
      aria-live={isLive ? "polite" : undefined}
      // The lines are drawn by the cells, so that a row that is not full has none at its end.
      className={clsx("grid overflow-hidden rounded-lg border border-line bg-card", COLUMNS[columns], className)}
    >
      {figures.map(({ key, name, value, note }) => (
        <div key={key} className="flex flex-col px-4 py-3 shadow-[0_0_0_0.5px_var(--line)] max-sm:last:odd:col-span-2">
          <dt className="text-base text-ink-soft">{name}</dt>
          <dd className="font-heading text-2xl font-semibold tabular-nums">{value}</dd>
          {note !== undefined && <dd className="text-base leading-snug text-ink-soft">{note}</dd>}
        </div>
      ))}
    </dl>
  );
}
