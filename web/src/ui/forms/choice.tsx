/** A choice among values from a list. */

import { clsx } from "clsx";
import { Switch } from "radix-ui";
import { type ReactNode, useId } from "react";

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

// Radio buttons that look like pills.

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

// Something that is on or off, with its name and what it means beside the switch.

interface ToggleProps {
  label: string;
  hint: string;
  isOn: boolean;
  onToggle: (isOn: boolean) => void;
  disabled?: boolean;
}

export function Toggle({ label, hint, isOn, onToggle, disabled = false }: ToggleProps): ReactNode {
  const id = useId();
  return (
    <div className="flex items-center justify-between gap-4">
      <div>
        <label htmlFor={id} className="font-semibold">
          {label}
        </label>
        <p id={`${id}-hint`} className="text-base leading-snug text-ink-soft">
          {hint}
        </p>
      </div>
      <Switch.Root
        id={id}
        aria-describedby={`${id}-hint`}
        checked={isOn}
        disabled={disabled}
        onCheckedChange={onToggle}
        className="relative h-7 w-12 shrink-0 rounded-full border border-edge bg-paper transition-colors before:absolute before:-inset-2 disabled:cursor-not-allowed disabled:opacity-60 data-[state=checked]:border-accent data-[state=checked]:bg-accent"
      >
        <Switch.Thumb className="block size-5 translate-x-1 rounded-full bg-edge transition-transform data-[state=checked]:translate-x-6 data-[state=checked]:bg-on-accent" />
      </Switch.Root>
    </div>
  );
}

// A filter that is on or off, as a pill; several of them stand in a row with a name.

interface ChipProps {
  chosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

function Chip({ chosen, onChoose, children }: ChipProps): ReactNode {
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
