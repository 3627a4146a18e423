/**
 * The runs of a session, however many: the last ones are always there, earlier ones a page at a time.
 *
 * Every run has a place that stays the same, because sessions only grow. What has ended never changes,
 * so a page is read once.
 */

import { type QueryClient, useQueries, useQueryClient } from "@tanstack/react-query";
import { useCallback, useMemo, useState } from "react";

import { runsKey } from "../../api/plan-cache";
import { useServices } from "../../services";
import type { PlanRun, PlanTranscript } from "../../wire/generated";

export const PAGE = 40;

export interface Runs {
  /** One for each place; null where the page has not been read. */
  runs: readonly (PlanRun | null)[];
  /** Whether every run is there. */
  isWhole: boolean;
  /** Asks for the page that a place is on. */
  want: (place: number) => void;
  wantAll: () => void;
}

/** Keeps the whole pages among the last runs: when the session goes on, they are earlier ones. */
export function keepPages(queries: QueryClient, { session, first, total, runs }: PlanTranscript): void {
  for (let from = first; from + PAGE < total; from += PAGE) {
    queries.setQueryData<PlanRun[]>(runsKey(session.id, from), runs.slice(from - first, from - first + PAGE));
  }
}

export function useRuns(transcript: PlanTranscript): Runs {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  const { session, first, total, runs: last } = transcript;
  const [wanted, setWanted] = useState<ReadonlySet<number>>(new Set());
  const starts = pageStarts(first).filter(
    (from) => wanted.has(from) || queries.getQueryData(runsKey(session.id, from)) !== undefined,
  );
  const pages = useQueries({
    queries: starts.map((from) => ({
      queryKey: runsKey(session.id, from),
      queryFn: async () => (await plan.transcript(session.id, { from, limit: PAGE })).runs,
      staleTime: Infinity,
    })),
    combine: (found) => found.map(({ data }) => data),
  });
  const runs = useMemo(() => {
    const known: (PlanRun | null)[] = Array.from({ length: total }, () => null);
    starts.forEach((from, at) => {
      pages[at]?.forEach((run, place) => {
        known[from + place] = run;
      });
    });
    last.forEach((run, place) => {
      known[first + place] = run;
    });
    return known;
    // The starts belong to the pages.
  }, [pages, last, first, total]);
  const want = useCallback((place: number) => {
    const from = place - (place % PAGE);
    setWanted((before) => (before.has(from) ? before : new Set([...before, from])));
  }, []);
  const wantAll = useCallback(() => {
    setWanted(new Set(pageStarts(first)));
  }, [first]);
  return { runs, isWhole: !runs.includes(null), want, wantAll };
}

function pageStarts(first: number): number[] {
  return Array.from({ length: Math.ceil(first / PAGE) }, (_, page) => page * PAGE);
}
