/** Small things several parts of the page use. */

import { clsx } from "clsx";
import { Search, X } from "lucide-react";
import { type ReactNode, useEffect, useId, useState } from "react";

import { IconButton } from "../../ui/button";

const REST_MS = 200;

/** A command, letter for letter: what is long wraps, what is wide stays inside. */
export function CommandText({ text, className }: { text: string; className?: string }): ReactNode {
  return (
    <code className={clsx("block rounded bg-line/60 px-3 py-2 text-[0.95em] [overflow-wrap:anywhere] whitespace-pre-wrap", className)}>
      {text}
    </code>
  );
}

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

interface SearchFieldProps {
  label: string;
  placeholder: string;
  clear: string;
  value: string;
  onChange: (text: string) => void;
}

export function SearchField({ label, placeholder, clear, value, onChange }: SearchFieldProps): ReactNode {
  const id = useId();
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <div className="relative mt-1.5">
        <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 size-5 text-ink-soft" />
        <input
          id={id}
          type="text"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          value={value}
          placeholder={placeholder}
          onChange={(event) => {
            onChange(event.target.value);
          }}
          className="min-h-12 w-full rounded-md border border-edge bg-card pr-12 pl-11 text-lg text-ellipsis placeholder:text-ink-soft"
        />
        {value !== "" && (
          <IconButton
            label={clear}
            onClick={() => {
              onChange("");
              document.getElementById(id)?.focus();
            }}
            className="absolute top-0.5 right-0.5 text-ink-soft hover:text-ink"
          >
            <X aria-hidden className="size-5" />
          </IconButton>
        )}
      </div>
    </form>
  );
}

interface RestingSearchProps {
  words: { search: string; placeholder: string; clear: string };
  initial: string;
  go: (change: { query: string }, how: { replace: boolean }) => void;
}

/** A search whose words go into the address once they have rested. */
export function RestingSearch({ words, initial, go }: RestingSearchProps): ReactNode {
  const [typed, setTyped] = useState(initial);
  useEffect(() => {
    if (typed.trim() === initial) return;
    const timer = setTimeout(() => {
      go({ query: typed.trim() }, { replace: true });
    }, REST_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [typed, initial, go]);
  return <SearchField label={words.search} placeholder={words.placeholder} clear={words.clear} value={typed} onChange={setTyped} />;
}

interface ChoiceProps {
  label: string;
  value: string | null;
  /** What the empty choice is called. */
  any: string;
  options: readonly (readonly [value: string, name: string])[];
  onChoose: (value: string | null) => void;
}

/** A choice among values; a value that is not offered any more stays, so that it can be seen and taken away. */
export function Choice({ label, value, any, options, onChoose }: ChoiceProps): ReactNode {
  const isLost = value !== null && !options.some(([each]) => each === value);
  return (
    <label className="flex min-w-0 flex-col gap-1">
      <span className="text-base text-ink-soft">{label}</span>
      <select
        value={value ?? ""}
        onChange={(event) => {
          onChoose(event.target.value === "" ? null : event.target.value);
        }}
        className="min-h-11 w-full min-w-0 rounded-md border border-edge bg-card px-3"
      >
        <option value="">{any}</option>
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
