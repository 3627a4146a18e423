/** A filter that is on or off, as a pill; several of them stand in a row with a name. */

import { clsx } from "clsx";
import type { ReactNode } from "react";

interface ChipProps {
  chosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

export function Chip({ chosen, onChoose, children }: ChipProps): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={clsx(
        "min-h-11 rounded-full border px-4 font-semibold transition-colors",
        chosen ? "border-accent bg-accent text-on-accent" : "border-edge bg-card text-ink-soft hover:border-accent hover:text-accent",
      )}
    >
      {children}
    </button>
  );
}

interface ChipsProps<Value extends string> {
  label: string;
  /** The value that is chosen; null for all of them. */
  value: Value | null;
  all: ReactNode;
  options: readonly (readonly [value: Value, words: ReactNode])[];
  /** Choosing the chosen one again takes it away. */
  onChoose: (value: Value | null) => void;
  className?: string;
}

/** One of several values, or all of them. */
export function Chips<Value extends string>({ label, value, all, options, onChoose, className }: ChipsProps<Value>): ReactNode {
  return (
    <div data-unprinted role="group" aria-label={label} className={clsx("flex flex-wrap gap-2", className)}>
      <Chip
        chosen={value === null}
        onChoose={() => {
          onChoose(null);
        }}
      >
        {all}
      </Chip>
      {options.map(([each, words]) => (
        <Chip
          key={each}
          chosen={value === each}
          onChoose={() => {
            onChoose(value === each ? null : each);
          }}
        >
          {words}
        </Chip>
      ))}
    </div>
  );
}
