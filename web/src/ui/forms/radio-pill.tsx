/** Radio buttons that look like pills. */

import { type ReactNode, useId } from "react";

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

interface RadioPillsProps<Value extends string> {
  label: string;
  value: Value;
  options: readonly (readonly [value: Value, words: string])[];
  onChoose: (value: Value) => void;
}

/** One of a few values, all of them in sight. */
export function RadioPills<Value extends string>({ label, value, options, onChoose }: RadioPillsProps<Value>): ReactNode {
  const name = useId();
  return (
    <div data-unprinted role="radiogroup" aria-label={label} className="flex flex-wrap gap-2">
      {options.map(([each, words]) => (
        <RadioPill
          key={each}
          name={name}
          label={words}
          isChosen={each === value}
          onChoose={() => {
            onChoose(each);
          }}
        />
      ))}
    </div>
  );
}
