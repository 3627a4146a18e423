/** A radio button that looks like one of several pills. */

import type { ReactNode } from "react";

interface RadioPillProps {
  name: string;
  label: string;
  isChosen: boolean;
  onChoose: () => void;
}

export function RadioPill({ name, label, isChosen, onChoose }: RadioPillProps): ReactNode {
  return (
    <label
      className={
        "relative flex min-h-10 cursor-pointer items-center rounded-full border border-edge bg-card px-4 text-base font-semibold transition-colors " +
        "hover:border-accent has-checked:border-accent has-checked:bg-accent has-checked:text-on-accent " +
        "has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-(--focus) has-disabled:opacity-60"
      }
    >
      <input type="radio" name={name} checked={isChosen} onChange={onChoose} className="absolute inset-0 cursor-pointer opacity-0" />
      {label}
    </label>
  );
}
