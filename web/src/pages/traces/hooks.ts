/** The server's answers about runs, as React hooks. */

import {
  type InfiniteData,
  keepPreviousData,
  useInfiniteQuery,
  type UseInfiniteQueryResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useEffect } from "react";

import { useServices } from "../../services";
import type { Costs, TraceDetail, TraceEntry, TraceJournal, TraceMoments, TraceRuns, TraceSpan } from "../../wire/generated";
import type { RunFilter } from "./api";

const TRACES_KEY = ["traces"] as const;
/** Runs also come from terminals and hooks, and nobody tells the page of those. */
const LOOK_AGAIN_MS = 5_000;
const FOLLOW_MS = 2_000;
/** Ten thousand steps are much to read again every other second. */
const FOLLOW_LONG_MS = 10_000;
const LONG = 2_000;
const REST_MS = 250;
const MOMENTS_PAGE = 20;
export const JOURNAL_PAGE = 100;

export function useRuns(filter: RunFilter): UseInfiniteQueryResult<InfiniteData<TraceRuns>> {
  const { traces } = useServices().api;
  return useInfiniteQuery({
    queryKey: [...TRACES_KEY, "runs", filter],
    queryFn: ({ pageParam }) => traces.runs(filter, pageParam),
    initialPageParam: null as string | null,
    getNextPageParam: (last) => last.next,
    placeholderData: keepPreviousData,
    // Who has gone far down reads what is there; new runs come when the list is opened again.
    refetchInterval: (query) => ((query.state.data?.pages.length ?? 0) > 1 ? false : LOOK_AGAIN_MS),
  });
}

export function useRun(id: string): UseQueryResult<TraceDetail> {
  const { traces } = useServices().api;
  return useQuery({
    queryKey: [...TRACES_KEY, "run", id],
    queryFn: () => traces.run(id),
    refetchInterval: ({ state: { data } }) => {
      if (data?.run.state !== "running") return false;
      return data.spans.steps.length > LONG ? FOLLOW_LONG_MS : FOLLOW_MS;
    },
  });
}

export function useSpan(id: string, step: string): UseQueryResult<TraceSpan> {
  const { traces } = useServices().api;
  return useQuery({ queryKey: [...TRACES_KEY, "span", id, step], queryFn: () => traces.span(id, step), placeholderData: keepPreviousData });
}

export function useJournal(id: string, after: number): UseQueryResult<TraceJournal> {
  const { traces } = useServices().api;
  return useQuery({
    queryKey: [...TRACES_KEY, "journal", id, after],
    queryFn: () => traces.journal(id, after, JOURNAL_PAGE),
    placeholderData: keepPreviousData,
  });
}

export function useEntry(id: string, seq: number, isWanted: boolean): UseQueryResult<TraceEntry> {
  const { traces } = useServices().api;
  return useQuery({ queryKey: [...TRACES_KEY, "entry", id, seq], queryFn: () => traces.entry(id, seq), enabled: isWanted });
}

/** The moments around a number: a page of them, so that going on costs nothing. */
export function useMoments(id: string, at: number): UseQueryResult<TraceMoments> {
  const { traces } = useServices().api;
  const first = at - (at % MOMENTS_PAGE);
  return useQuery({
    queryKey: [...TRACES_KEY, "moments", id, first],
    queryFn: () => traces.moments(id, first, MOMENTS_PAGE),
    placeholderData: keepPreviousData,
  });
}

/** The number of the moment a step is told in, once it is known. */
export function useMomentOf(id: string, step: string | null): UseQueryResult<number> {
  const { traces } = useServices().api;
  return useQuery({
    queryKey: [...TRACES_KEY, "moment-of", id, step],
    queryFn: async () => (await traces.momentOf(id, step ?? "")).first,
    enabled: step !== null,
    retry: false,
  });
}

export function useCosts(days: number): UseQueryResult<Costs> {
  const { traces } = useServices().api;
  const zone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
  return useQuery({
    queryKey: [...TRACES_KEY, "costs", days, zone],
    queryFn: () => traces.costs(days, zone),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS * 6,
  });
}

/** Reads again when a run of a plan goes on; `run` is the one that matters, null for all of them. */
export function useRunNews(run: string | null): void {
  const { connection } = useServices();
  const queries = useQueryClient();
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | null = null;
    const hear = (about: string): void => {
      if ((run !== null && about !== run) || timer !== null) return;
      timer = setTimeout(() => {
        timer = null;
        const kinds = run === null ? ["runs", "costs"] : ["run", "moments", "journal"];
        void queries.invalidateQueries({ queryKey: TRACES_KEY, predicate: ({ queryKey }) => kinds.includes(String(queryKey[1])) });
      }, REST_MS);
    };
    const stops = [
      connection.subscribe("plan:run", ({ payload }) => {
        hear(payload.run);
      }),
      connection.subscribe("plan:step", ({ payload }) => {
        if (run !== null) hear(payload.run);
      }),
    ];
    return () => {
      if (timer !== null) clearTimeout(timer);
      for (const stop of stops) stop();
    };
  }, [connection, queries, run]);
}
