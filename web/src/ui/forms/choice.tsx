/** A choice among values from a list. */

import { clsx } from "clsx";
import type { ReactNode } from "react";

import { INPUT } from "./field";

interface ChoiceProps {
  label: string;
  value: string | null;
  /** What the empty choice is called; left out where one has to be chosen. */
  any?: string;
  options: readonly (readonly [value: string, name: string])[];
  onChoose: (value: string | null) => void;
  /** The label stands beside the list instead of above it. */
  isInline?: boolean;
  disabled?: boolean;
}

/** A value that is not offered any more stays, so that it can be seen and taken away. */
export function Choice({ label, value, any, options, onChoose, isInline = false, disabled = false }: ChoiceProps): ReactNode {
  const isLost = value !== null && !options.some(([each]) => each === value);
  return (
    <label className={clsx("flex min-w-0", isInline ? "items-center gap-2" : "flex-col gap-1")}>
      <span className="text-base text-ink-soft">{label}</span>
      <select
        value={value ?? ""}
        disabled={disabled}
        onChange={(event) => {
          onChoose(event.target.value === "" ? null : event.target.value);
        }}
        className={clsx(INPUT, "min-w-0", isInline ? "max-w-56" : "w-full")}
      >
        {any !== undefined && <option value="">{any}</option>}
        {isLost && <option value={value}>{value}</option>}
        {options.map(([each, name]) => (
          <option key={each} value={each}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
