/** A box to search in, with a way to empty it. */

import { clsx } from "clsx";
import { Search, X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useId, useState } from "react";

import { IconButton } from "../button";
import { INPUT } from "./field";

const REST_MS = 200;

interface SearchFieldProps {
  label: string;
  /** The label is only read out: the place says what is searched. */
  labelHidden?: boolean;
  placeholder: string;
  /** What the button is called that empties the box. */
  clear: string;
  value: string;
  onChange: (text: string) => void;
  onKeyDown?: (event: KeyboardEvent<HTMLInputElement>) => void;
  onSubmit?: () => void;
  /** One of its own, where something else has to find the box. */
  id?: string;
  /** Keys that lead here, as `aria-keyshortcuts` has them. */
  keys?: string;
  /** More about the box, for screen readers. */
  about?: string;
}

export function SearchField(props: SearchFieldProps): ReactNode {
  const { label, labelHidden = false, placeholder, clear, value, onChange, onKeyDown, onSubmit, keys, about } = props;
  const made = useId();
  const id = props.id ?? made;
  return (
    <form
      data-unprinted
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
        onSubmit?.();
      }}
    >
      <label htmlFor={id} className={labelHidden ? "sr-only" : "font-semibold"}>
        {label}
      </label>
      <div className={clsx("relative", !labelHidden && "mt-1.5")}>
        <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 size-5 text-ink-soft" />
        <input
          id={id}
          type="text"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          value={value}
          placeholder={placeholder}
          aria-keyshortcuts={keys}
          aria-describedby={about === undefined ? undefined : `${id}-about`}
          onChange={(event) => {
            onChange(event.target.value);
          }}
          onKeyDown={onKeyDown}
          className={clsx(INPUT, "min-h-12 w-full pr-12 pl-11 text-lg text-ellipsis")}
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
      {about !== undefined && (
        <p id={`${id}-about`} className="sr-only">
          {about}
        </p>
      )}
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
