/** The box one asks the memory in; the arrow down leads from it into the list. */

import { Search, X } from "lucide-react";
import type { ReactNode } from "react";

import { strings } from "../../../strings";
import { IconButton } from "../../../ui/button";
import { focusSearch, SEARCH_ID } from "../go-to-search";

const text = strings.memory.search;

export function SearchBox({ text: value, onChange }: { text: string; onChange: (text: string) => void }): ReactNode {
  return (
    <form
      role="search"
      onSubmit={(event) => {
        event.preventDefault();
      }}
    >
      <label htmlFor={SEARCH_ID} className="font-semibold">
        {text.label}
      </label>
      <div className="relative mt-1.5">
        <Search aria-hidden className="pointer-events-none absolute top-3.5 left-3.5 size-5 text-ink-soft" />
        <input
          id={SEARCH_ID}
          type="text"
          enterKeyHint="search"
          autoComplete="off"
          spellCheck={false}
          value={value}
          placeholder={text.placeholder}
          aria-describedby="memory-search-hint"
          aria-keyshortcuts="/"
          onChange={(event) => {
            onChange(event.target.value);
          }}
          onKeyDown={(event) => {
            if (event.key !== "ArrowDown") return;
            event.preventDefault();
            document.querySelector<HTMLElement>("[data-memory]")?.focus();
          }}
          className="min-h-12 w-full rounded-md border border-edge bg-card pr-12 pl-11 text-lg placeholder:text-ink-soft"
        />
        {value !== "" && (
          <IconButton
            label={text.clear}
            onClick={() => {
              onChange("");
              focusSearch();
            }}
            className="absolute top-0.5 right-0.5 text-ink-soft hover:text-ink"
          >
            <X aria-hidden className="size-5" />
          </IconButton>
        )}
      </div>
      <p id="memory-search-hint" className="sr-only">
        {text.shortcut}
      </p>
    </form>
  );
}
