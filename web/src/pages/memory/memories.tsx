/** Finding memories: a search that answers while one types, filters, and the memory that is open. */

import { type KeyboardEvent, type ReactNode, useState } from "react";

import { strings } from "../../strings";
import { Answered, Empty, NothingFound, ShowMore, useShown } from "../../ui/data/answered";
import { Chips, Choice } from "../../ui/forms/choice";
import { Tick } from "../../ui/forms/field";
import { SearchField } from "../../ui/forms/search-field";
import { useRested } from "../../ui/media";
import { SkeletonRows } from "../../ui/skeleton";
import type { MemoryFound, MemoryItem, MemoryRecent, MemoryResult } from "../../wire/generated";
import type { MemoryFilter, MemoryQuestion } from "./api";
import { DetailPanel, MemoryRow } from "./detail";
import { type AddressBar, isScope, useAddress, useOverview, useRecent, useSearch } from "./hooks";
import { SEARCH_ID } from "./memory-route";

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

const text = strings.memory.search;

/** Which memories are looked at: scope, project, and whether replaced ones count. */
function Filters({ address, searching }: { address: AddressBar; searching: boolean }): ReactNode {
  const totals = useOverview().data?.totals;
  if (totals === undefined) return null;
  const scopes = Object.entries(totals.scopes).flatMap(([name, count]) => (isScope(name) ? [[name, count] as const] : []));
  const projects = Object.keys(totals.projects).sort();
  const { scope, project, history, go } = address;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3">
      {scopes.length > 0 && (
        <Chips
          label={text.scope}
          value={scope}
          all={text.chip(text.everyScope, totals.memories)}
          options={scopes.map(([name, count]) => [name, text.chip(strings.memory.scopes[name], count)])}
          onChoose={(chosen) => {
            go({ scope: chosen }, { replace: true });
          }}
        />
      )}
      {(projects.length > 0 || project !== null) && (
        <Choice
          isInline
          label={text.project}
          any={text.everyProject}
          value={project}
          options={projects.map((name) => [name, text.chip(name, totals.projects[name] ?? 0)])}
          onChoose={(chosen) => {
            go({ project: chosen }, { replace: true });
          }}
        />
      )}
      {searching && (
        <Tick
          label={text.history}
          isTicked={history}
          onTick={(isTicked) => {
            go({ history: isTicked ? "true" : null }, { replace: true });
          }}
        />
      )}
    </div>
  );
}

const FIRST = 20;
const MOST = 500;

interface ListProps {
  openId: string | null;
  onOpen: (id: string, result: MemoryResult | null) => void;
}

/** The lists of memories: what a search found, and the newest when nothing is asked. */
function FoundList({ question, ...rest }: ListProps & { question: Omit<MemoryQuestion, "k"> }): ReactNode {
  const [shown, showMore] = useShown(JSON.stringify(question), FIRST, MOST);
  const found = useSearch({ ...question, k: shown }, true);
  return (
    <Answered query={found} words={text} skeleton={<SkeletonRows className="mt-8" />}>
      {(page) => (
        <section aria-label={text.results} aria-busy={found.isPlaceholderData} className="mt-5">
          <Found found={page} filtered={question.scope !== null || question.project !== null} {...rest} />
          {page.results.length >= shown && showMore !== null && (
            <ShowMore words={text.more} isBusy={found.isFetching} onMore={showMore} />
          )}
        </section>
      )}
    </Answered>
  );
}

function Found({ found, filtered, openId, onOpen }: ListProps & { found: MemoryFound; filtered: boolean }): ReactNode {
  const { results, tookMs, leftOut, vectors } = found;
  return (
    <>
      <p role="status" className={results.length === 0 ? "sr-only" : "text-base text-ink-soft"}>
        {results.length === 0 ? text.nothing : text.found(results.length, tookMs, leftOut)}
        {!vectors && results.length > 0 && ` ${text.wordsOnly}`}
      </p>
      {results.length === 0 && <NothingMatches filtered={filtered} />}
      <Rows
        items={results}
        openId={openId}
        onOpen={(id) => {
          onOpen(id, results.find((result) => result.id === id) ?? null);
        }}
      />
    </>
  );
}

function NewestList({ filter, ...rest }: ListProps & { filter: MemoryFilter }): ReactNode {
  const [shown, showMore] = useShown(JSON.stringify(filter), FIRST, MOST);
  const recent = useRecent(filter, shown, true);
  const filtered = filter.scope !== null || filter.project !== null;
  return (
    <Answered query={recent} words={text} skeleton={<SkeletonRows className="mt-8" />}>
      {(page) =>
        page.total === 0 ? (
          <div className="mt-6">{filtered ? <NothingMatches filtered /> : <Empty title={text.empty} hint={text.emptyHint} />}</div>
        ) : (
          <section aria-label={text.results} aria-busy={recent.isPlaceholderData} className="mt-5">
            <Newest recent={page} {...rest} />
            {page.memories.length < page.total && showMore !== null && (
              <ShowMore words={text.more} isBusy={recent.isFetching} onMore={showMore} />
            )}
          </section>
        )
      }
    </Answered>
  );
}

function Newest({ recent: { memories, total }, openId, onOpen }: ListProps & { recent: MemoryRecent }): ReactNode {
  return (
    <>
      <p role="status" className="text-base text-ink-soft">
        {text.newest(memories.length, total)}
      </p>
      <Rows
        items={memories}
        openId={openId}
        onOpen={(id) => {
          onOpen(id, null);
        }}
      />
    </>
  );
}

interface RowsProps {
  items: (MemoryItem | MemoryResult)[];
  openId: string | null;
  onOpen: (id: string) => void;
}

function Rows({ items, openId, onOpen }: RowsProps): ReactNode {
  return (
    <ul className="mt-2 divide-y divide-rule border-y border-rule empty:hidden">
      {items.map((item) => (
        <MemoryRow key={item.id} item={item} isOpen={item.id === openId} onOpen={onOpen} />
      ))}
    </ul>
  );
}

function NothingMatches({ filtered }: { filtered: boolean }): ReactNode {
  const { go } = useAddress();
  return (
    <div className="mt-3">
      <NothingFound
        words={text}
        isFiltered={filtered}
        onTakeAway={() => {
          go({ scope: null, project: null }, { replace: true });
        }}
      />
    </div>
  );
}
