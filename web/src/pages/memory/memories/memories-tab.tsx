/** Finding memories: a search that answers while one types, filters, and the memory that is open. */

import { type KeyboardEvent, type ReactNode, useState } from "react";

import { strings } from "../../../strings";
import { useRested } from "../../../ui/rested";
import { SearchField } from "../../../ui/search-field";
import type { MemoryResult } from "../../../wire/generated";
import { useAddress } from "../address";
import { DetailPanel } from "../detail/detail-panel";
import { SEARCH_ID } from "../go-to-search";
import { Filters } from "./filters";
import { FoundList, NewestList } from "./lists";

const words = strings.memory.search;
const REST_MS = 180;

export function MemoriesTab(): ReactNode {
  const address = useAddress();
  const { id, scope, project, history, go } = address;
  const [text, setText] = useState(address.query);
  const query = useRested(text.trim(), REST_MS);
  // What the open memory was found with: it stays when the list below it changes.
  const [opened, setOpened] = useState<MemoryResult | null>(null);
  const open = (chosen: string, result: MemoryResult | null): void => {
    setOpened(result);
    go({ id: chosen, query }, { replace: id !== null });
  };
  const close = (): void => {
    go({ id: null, query }, { replace: true });
  };
  const isOpen = id !== null;
  return (
    <div className={isOpen ? "items-start gap-x-8 lg:grid lg:grid-cols-[minmax(0,1fr)_minmax(0,26rem)]" : ""}>
      <div className="min-w-0">
        <SearchField
          id={SEARCH_ID}
          label={words.label}
          placeholder={words.placeholder}
          clear={words.clear}
          keys="/"
          about={words.shortcut}
          value={text}
          onChange={setText}
          onKeyDown={intoTheList}
        />
        <Filters address={address} searching={query !== ""} />
        {query === "" ? (
          <NewestList filter={{ scope, project }} openId={id} onOpen={open} />
        ) : (
          <FoundList question={{ query, scope, project, history }} openId={id} onOpen={open} />
        )}
      </div>
      {isOpen && (
        <DetailPanel
          key={id}
          id={id}
          result={opened?.id === id ? opened : null}
          onClose={close}
          onGo={(other) => {
            open(other, null);
          }}
        />
      )}
    </div>
  );
}

/** The arrow down leads from the search into what it found. */
function intoTheList(event: KeyboardEvent): void {
  if (event.key !== "ArrowDown") return;
  event.preventDefault();
  document.querySelector<HTMLElement>("[data-memory]")?.focus();
}
