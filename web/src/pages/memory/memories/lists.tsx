/** The lists of memories: what a search found, and the newest when nothing is asked. */

import type { ReactNode } from "react";

import type { MemoryFilter, MemoryQuestion } from "../../../api/memory-api";
import { strings } from "../../../strings";
import { Answered } from "../../../ui/answered";
import { Empty, NothingFound } from "../../../ui/empty";
import { ShowMore, useShown } from "../../../ui/shown";
import { SkeletonRows } from "../../../ui/skeleton";
import type { MemoryFound, MemoryItem, MemoryRecent, MemoryResult } from "../../../wire/generated";
import { useAddress } from "../address";
import { useRecent, useSearch } from "../hooks";
import { MemoryRow } from "./memory-row";

const text = strings.memory.search;
const FIRST = 20;
const MOST = 500;

interface ListProps {
  openId: string | null;
  onOpen: (id: string, result: MemoryResult | null) => void;
}

export function FoundList({ question, ...rest }: ListProps & { question: Omit<MemoryQuestion, "k"> }): ReactNode {
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

export function NewestList({ filter, ...rest }: ListProps & { filter: MemoryFilter }): ReactNode {
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
