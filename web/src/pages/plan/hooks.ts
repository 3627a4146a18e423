/** What the Plan page reads, as React hooks. */

import { keepPreviousData, type QueryClient, useQueries, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useCallback, useLayoutEffect, useMemo, useState } from "react";

import { useServices } from "../../services";
import type {
  ClassMisconceptions,
  MemoryFile,
  PlanFile,
  PlanLesson,
  PlanLessonItem,
  PlanLines,
  PlanOverview,
  PlanProposal,
  PlanRun,
  PlanSessions,
  PlanText,
  PlanTranscript,
} from "../../wire/generated";
import { MEMORY_KEY } from "../../wire/memory-cache";
import type { LinesQuestion, SessionsQuestion } from "./api";
import { askAfresh, fileKey, lessonKey, OVERVIEW_KEY, PLAN_KEY, PROPOSALS_KEY, runsKey, SESSIONS_KEY, transcriptKey } from "./cache";
import { useLive } from "./live";

export function useOverview(): UseQueryResult<PlanOverview> {
  const { plan } = useServices().api;
  return useQuery({ queryKey: OVERVIEW_KEY, queryFn: () => askAfresh(() => plan.overview()) });
}

/** What many learners of a class get wrong. Not below the key of Plan: a class that was deleted is not asked about again. */
export function useClassErrors(classId: string): UseQueryResult<ClassMisconceptions> {
  const { plan } = useServices().api;
  return useQuery({ queryKey: ["class-errors", classId], queryFn: () => askAfresh(() => plan.classErrors(classId)) });
}

export function useFiles(): UseQueryResult<PlanFile[]> {
  const { plan } = useServices().api;
  return useQuery({ queryKey: [...PLAN_KEY, "files"], queryFn: () => askAfresh(() => plan.files()) });
}

export function useLessons(): UseQueryResult<PlanLessonItem[]> {
  const { plan } = useServices().api;
  return useQuery({ queryKey: [...PLAN_KEY, "lessons"], queryFn: () => askAfresh(() => plan.lessons()) });
}

/** The documents that the Memory page edits. */
export function useMemoryFiles(): UseQueryResult<MemoryFile[]> {
  const { memory } = useServices().api;
  return useQuery({ queryKey: [...MEMORY_KEY, "files"], queryFn: () => memory.files() });
}

/** A file with its text; null when it was deleted while it was open. */
export function useFile(path: string): UseQueryResult<PlanText | null> {
  const { plan } = useServices().api;
  return useQuery<PlanText | null>({ queryKey: fileKey(path), queryFn: () => askAfresh(() => plan.readFile(path)) });
}

/** A lesson; null when it was deleted while it was open. */
export function useLesson(path: string): UseQueryResult<PlanLesson | null> {
  const { plan } = useServices().api;
  return useQuery<PlanLesson | null>({ queryKey: lessonKey(path), queryFn: () => askAfresh(() => plan.lesson(path)) });
}

export function useLines(question: LinesQuestion): UseQueryResult<PlanLines> {
  const { plan } = useServices().api;
  return useQuery({ queryKey: [...PLAN_KEY, "lines", question], queryFn: () => askAfresh(() => plan.lines(question)) });
}

/** The last answer stays until the next one is there, so that typing does not flicker. */
export function useSessions(question: SessionsQuestion): UseQueryResult<PlanSessions> {
  const { plan } = useServices().api;
  return useQuery({
    queryKey: [...SESSIONS_KEY, question],
    queryFn: () => askAfresh(() => plan.sessions(question)),
    placeholderData: keepPreviousData,
  });
}

/** A session with its last runs; `useRuns` reads the earlier ones. */
export function useTranscript(session: string): UseQueryResult<PlanTranscript> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  const found = useQuery({
    queryKey: transcriptKey(session),
    queryFn: async () => {
      const transcript = await askAfresh(() => plan.transcript(session));
      keepPages(queries, transcript);
      return transcript;
    },
  });
  // Not before it is drawn: words that were written go when the same words stand there as said.
  const { data } = found;
  useLayoutEffect(() => {
    if (data !== undefined) useLive.getState().takeTranscript(data);
  }, [data]);
  return found;
}

export function useProposals(): UseQueryResult<PlanProposal[]> {
  const { plan } = useServices().api;
  return useQuery({ queryKey: PROPOSALS_KEY, queryFn: () => askAfresh(() => plan.proposals()) });
}

// The runs of a session, however many: the last ones are always there, earlier ones a page at a time.
// Every run has a place that stays the same, because sessions only grow. What has ended never changes,
// so a page is read once.

const PAGE = 40;

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
function keepPages(queries: QueryClient, { session, first, total, runs }: PlanTranscript): void {
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
