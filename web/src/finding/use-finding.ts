/** What is found behind all doors, once the words have rested; a question nobody waits for any more is taken back. */

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useServices } from "../services";
import { useRested } from "../ui/rested";
import type { SearchFound } from "../wire/generated";

const REST_MS = 180;
/** One letter finds everything, which is nothing. */
const LEAST = 2;

interface Finding {
  /** The words that were asked; empty while there are too few. */
  asked: string;
  /** Whether the answer is one to these words. */
  isCurrent: boolean;
  query: UseQueryResult<SearchFound>;
}

export function useFinding(words: string, limit: number): Finding {
  const { api } = useServices();
  const rested = useRested(words.trim(), REST_MS);
  const asked = rested.length < LEAST ? "" : rested;
  const query = useQuery({
    queryKey: ["search", asked, limit],
    queryFn: ({ signal }) => api.finding.search(asked, limit, signal),
    enabled: asked !== "",
    // What was found stays while more letters are typed, so that nothing jumps.
    placeholderData: keepPreviousData,
    meta: { isQuiet: true },
  });
  return { asked, isCurrent: !query.isPlaceholderData && words.trim() === rested, query };
}
