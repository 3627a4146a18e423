/** What this window knows of the memory, and what becomes of it when the memory changes. */

import type { QueryClient, QueryKey } from "@tanstack/react-query";

import type { MemoryChanged } from "./generated";

/** Everything read from the memory is kept below this key. */
export const MEMORY_KEY = ["memory"] as const;

export function shownKey(id: string): QueryKey {
  return [...MEMORY_KEY, "shown", id];
}

/** Somebody changed the memory: this window, another one, an agent. */
export function takeInChange(queries: QueryClient, { ids, action }: MemoryChanged["payload"]): void {
  if (action === "forgotten") takeInForgotten(queries, ids);
  else if (action === "document_deleted") askAgainWithout(queries, ids);
  else void queries.invalidateQueries({ queryKey: MEMORY_KEY });
}

/** What is forgotten leaves this window too. It is not asked for again: nobody could answer. */
export function takeInForgotten(queries: QueryClient, ids: string[]): void {
  for (const id of ids) queries.setQueryData(shownKey(id), (known) => (known === undefined ? undefined : null));
  askAgainWithout(queries, ids);
}

function askAgainWithout(queries: QueryClient, ids: string[]): void {
  void queries.invalidateQueries({ queryKey: MEMORY_KEY, predicate: ({ queryKey }) => !isAboutOne(queryKey, ids) });
}

function isAboutOne([, kind, id]: QueryKey, ids: string[]): boolean {
  return (kind === "shown" || kind === "plan" || kind === "document") && typeof id === "string" && ids.includes(id);
}
