/** What this window knows of plans, and what becomes of it when something changes elsewhere. */

import type { QueryClient, QueryKey } from "@tanstack/react-query";

import type { PlanFileChanged } from "../../wire/generated";
import { MEMORY_KEY } from "../../wire/memory-cache";

/** Everything read from the Plan door is kept below this key. */
export const PLAN_KEY = ["plan"] as const;
export const OVERVIEW_KEY = [...PLAN_KEY, "overview"] as const;
export const SESSIONS_KEY = [...PLAN_KEY, "sessions"] as const;
export const PROPOSALS_KEY = [...PLAN_KEY, "proposals"] as const;

const TRANSCRIPTS_KEY = [...PLAN_KEY, "transcript"] as const;

export function transcriptKey(session: string): QueryKey {
  return [...TRANSCRIPTS_KEY, session];
}

/** A page of earlier runs. They have ended: what was read once stays right. */
export function runsKey(session: string, from: number): QueryKey {
  return [...PLAN_KEY, "runs", session, from];
}

export function fileKey(path: string): QueryKey {
  return [...PLAN_KEY, "file", path];
}

export function lessonKey(path: string): QueryKey {
  return [...PLAN_KEY, "lesson", path];
}

/** How often something changed; an answer that was on its way meanwhile may be older than the news. */
let changes = 0;
const MOST_TRIES = 4;

/**
 * Asks until nothing changed while the answer was on its way. The cache alone does not: news that come
 * during the very first question count as answered by it.
 */
export async function askAfresh<T>(ask: () => Promise<T>): Promise<T> {
  for (let tries = 1; ; tries += 1) {
    const before = changes;
    const answer = await ask();
    if (changes === before || tries === MOST_TRIES) return answer;
  }
}

/** A run stands somewhere else now. It may be a branch of any session: the one that is open is read again. */
export function takeInRun(queries: QueryClient): void {
  changes += 1;
  // A run may also have had something remembered.
  const memoryFiles = [...MEMORY_KEY, "files"];
  for (const queryKey of [TRANSCRIPTS_KEY, SESSIONS_KEY, OVERVIEW_KEY, PROPOSALS_KEY, memoryFiles]) {
    void queries.invalidateQueries({ queryKey });
  }
}

/** A file was written or removed: everything that is made from files is asked for again. */
export function takeInFile(queries: QueryClient, { path, action }: PlanFileChanged["payload"]): void {
  changes += 1;
  // What is gone is not asked for again: nobody could answer.
  const gone = action === "deleted" ? path : null;
  if (gone !== null) takeInDeleted(queries, gone);
  void queries.invalidateQueries({
    queryKey: PLAN_KEY,
    predicate: ({ queryKey: [, kind, name] }) => !isOfSession(kind) && !(isOfFile(kind) && name === gone),
  });
}

export function takeInDeleted(queries: QueryClient, path: string): void {
  for (const queryKey of [fileKey(path), lessonKey(path)]) {
    queries.setQueryData(queryKey, (known) => (known === undefined ? undefined : null));
  }
}

function isOfSession(kind: unknown): boolean {
  return kind === "transcript" || kind === "runs" || kind === "sessions" || kind === "proposals";
}

function isOfFile(kind: unknown): boolean {
  return kind === "file" || kind === "lesson";
}
