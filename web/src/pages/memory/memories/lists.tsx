/** The lists of memories: what a search found, and the newest when nothing is asked. */

import type { UseQueryResult } from "@tanstack/react-query";
import { type ReactNode, useState } from "react";

import type { MemoryFilter, MemoryQuestion } from "../../../api/memory-api";
import { strings } from "../../../strings";
import { Button } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { MemoryItem, MemoryResult } from "../../../wire/generated";
import { useAddress } from "../address";
import { Empty } from "../../../ui/empty";
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
  const [shown, showMore] = useShown(JSON.stringify(question));
  const found = useSearch({ ...question, k: shown }, true);
  if (found.data === undefined) return <NotYet query={found} />;
  const { results, tookMs, leftOut, vectors } = found.data;
  return (
    <section aria-label={text.results} aria-busy={found.isPlaceholderData} className="mt-5">
      <p role="status" className={results.length === 0 ? "sr-only" : "text-base text-ink-soft"}>
        {results.length === 0 ? text.nothing : text.found(results.length, tookMs, leftOut)}
        {!vectors && results.length > 0 && ` ${text.wordsOnly}`}
      </p>
      {results.length === 0 && <NothingMatches filtered={question.scope !== null || question.project !== null} />}
      <Rows
        items={results}
        openId={rest.openId}
        onOpen={(id) => {
          rest.onOpen(id, results.find((result) => result.id === id) ?? null);
        }}
      />
      {results.length >= shown && shown < MOST && <More onClick={showMore} busy={found.isFetching} />}
    </section>
  );
}

export function NewestList({ filter, openId, onOpen }: ListProps & { filter: MemoryFilter }): ReactNode {
  const [shown, showMore] = useShown(JSON.stringify(filter));
  const recent = useRecent(filter, shown, true);
  if (recent.data === undefined) return <NotYet query={recent} />;
  const { memories, total } = recent.data;
  const filtered = filter.scope !== null || filter.project !== null;
  if (total === 0) {
    return (
      <div className="mt-6">
        {filtered ? <NothingMatches filtered /> : <Empty title={text.empty} hint={text.emptyHint} />}
      </div>
    );
  }
  return (
    <section aria-label={text.results} aria-busy={recent.isPlaceholderData} className="mt-5">
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
      {memories.length < total && shown < MOST && <More onClick={showMore} busy={recent.isFetching} />}
    </section>
  );
}

/** How many are shown; another question begins with few again. */
function useShown(question: string): [number, () => void] {
  const [state, setState] = useState({ question, shown: FIRST });
  const shown = state.question === question ? state.shown : FIRST;
  const showMore = (): void => {
    setState({ question, shown: Math.min(shown * 2, MOST) });
  };
  return [shown, showMore];
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

function More({ onClick, busy }: { onClick: () => void; busy: boolean }): ReactNode {
  return (
    <Button look="quiet" className="mt-4" onClick={onClick} disabled={busy}>
      {text.more}
    </Button>
  );
}

function NothingMatches({ filtered }: { filtered: boolean }): ReactNode {
  const { go } = useAddress();
  return (
    <div className="mt-3">
      <Empty title={text.nothing} hint={text.nothingHint}>
        {filtered && (
          <Button
            look="quiet"
            className="mt-4"
            onClick={() => {
              go({ scope: null, project: null }, { replace: true });
            }}
          >
            {text.takeAway}
          </Button>
        )}
      </Empty>
    </div>
  );
}

function NotYet({ query }: { query: UseQueryResult }): ReactNode {
  if (query.isError) return <QueryError title={text.failed} query={query} />;
  return (
    <Loading label={text.loading}>
      <div className="mt-8 flex flex-col gap-3">
        <Skeleton className="h-18" />
        <Skeleton className="h-18" />
        <Skeleton className="h-18" />
      </div>
    </Loading>
  );
}
