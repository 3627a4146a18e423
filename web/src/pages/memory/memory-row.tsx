/** One memory in a list: what it says, who said it, when, where it holds, how well it matches. */

import { clsx } from "clsx";
import type { KeyboardEvent, ReactNode } from "react";

import { strings } from "../../strings";
import { When } from "../../ui/data/when";
import type { MemoryItem, MemoryResult } from "../../wire/generated";

const text = strings.memory;

interface MemoryRowProps {
  item: MemoryItem | MemoryResult;
  isOpen: boolean;
  onOpen: (id: string) => void;
}

export function rowId(id: string): string {
  return `memory-${id}`;
}

export function MemoryRow({ item, isOpen, onOpen }: MemoryRowProps): ReactNode {
  return (
    <li>
      <button
        type="button"
        id={rowId(item.id)}
        data-memory
        aria-current={isOpen ? "true" : undefined}
        onClick={() => {
          onOpen(item.id);
        }}
        onKeyDown={moveWithArrows}
        className={clsx(
          "block w-full border-l-4 py-3 pr-2 pl-3 text-left transition-colors hover:bg-card",
          isOpen ? "border-l-accent bg-card" : "border-l-transparent",
        )}
      >
        <span className="line-clamp-3 [overflow-wrap:anywhere]">{item.text}</span>
        <span className="mt-1 flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft">
          <span className="font-semibold">{item.speaker ?? item.owner}</span>
          <When at={item.at} />
          <span>
            {text.scopes[item.scope]}
            {item.project !== null && ` · ${item.project}`}
          </span>
          {"score" in item && <span className="tabular-nums">{text.search.score(item.score)}</span>}
          {item.supersededBy !== null && <span className="font-semibold text-warn">{text.search.replaced}</span>}
        </span>
      </button>
    </li>
  );
}

/** The arrow keys go through the list, and from its top back to the search. */
function moveWithArrows(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const rows = [...document.querySelectorAll<HTMLElement>("[data-memory]")];
  const at = rows.findIndex((row) => row === event.currentTarget);
  if (at + step < 0) document.getElementById("memory-search")?.focus();
  else rows[at + step]?.focus();
}
