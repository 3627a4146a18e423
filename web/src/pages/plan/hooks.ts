/** What the Plan page reads, as React hooks. */

import {
  keepPreviousData,
  type QueryClient,
  useMutation,
  type UseMutationResult,
  useQueries,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";
import { useCallback, useLayoutEffect, useMemo, useState } from "react";

import { useServices } from "../../services";
import { useNotices } from "../../shell/notices/bell";
import { createDrafts, useWarningBeforeLeaving as useWarning } from "../../ui/forms/drafts";
import type {
  ClassMisconceptions,
  MemoryFile,
  PlanAsk,
  PlanFile,
  PlanGate,
  PlanLesson,
  PlanLessonItem,
  PlanLines,
  PlanOverview,
  PlanProposal,
  PlanRun,
  PlanSessions,
  PlanStarted,
  PlanText,
  PlanTranscript,
} from "../../wire/generated";
import { MEMORY_KEY } from "../../wire/memory-cache";
import type { Decision, FileWrite, LinesQuestion, SessionsQuestion } from "./api";
import {
  fileKey,
  lessonKey,
  OVERVIEW_KEY,
  PLAN_KEY,
  PROPOSALS_KEY,
  runsKey,
  SESSIONS_KEY,
  takeInAnswer,
  takeInDeed,
  takeInDeleted,
  takeInFile,
  transcriptKey,
  useLive,
} from "./cache";
import type { Reply } from "./gates/interaction";

export function useOverview(): UseQueryResult<PlanOverview> {
  const { plan } = useServices().api;
  return useQuery({ queryKey: OVERVIEW_KEY, queryFn: () => plan.overview() });
}

/** What many learners of a class get wrong. Not below the key of Plan: a class that was deleted is not asked about again. */
export function useClassErrors(classId: string): UseQueryResult<ClassMisconceptions> {
  const { plan } = useServices().api;
  return useQuery({ queryKey: ["class-errors", classId], queryFn: () => plan.classErrors(classId) });
}

/** What the bell counts, it counts up to here. */
const MOST_COUNTED = 50;

/** How many questions wait. The bell knows it sooner than the overview, which is only read again for files. */
export function useWaiting(): number {
  const overview = useOverview().data;
  const told = useNotices().data;
  const counted = told?.notices.filter(({ kind }) => kind === "question").length ?? MOST_COUNTED;
  const isWhole = counted < MOST_COUNTED && told?.problems.every(({ source }) => source !== "questions") === true;
  return isWhole ? counted : (overview?.waiting ?? 0);
}

export function useFiles(): UseQueryResult<PlanFile[]> {
  const { plan } = useServices().api;
  return useQuery({ queryKey: [...PLAN_KEY, "files"], queryFn: () => plan.files() });
}

export function useLessons(): UseQueryResult<PlanLessonItem[]> {
  const { plan } = useServices().api;
  return useQuery({ queryKey: [...PLAN_KEY, "lessons"], queryFn: () => plan.lessons() });
}

/** The documents that the Memory page edits. */
export function useMemoryFiles(): UseQueryResult<MemoryFile[]> {
  const { memory } = useServices().api;
  return useQuery({ queryKey: [...MEMORY_KEY, "files"], queryFn: () => memory.files() });
}

/** A file with its text; null when it was deleted while it was open. */
export function useFile(path: string): UseQueryResult<PlanText | null> {
  const { plan } = useServices().api;
  return useQuery<PlanText | null>({ queryKey: fileKey(path), queryFn: () => plan.readFile(path) });
}

/** A lesson; null when it was deleted while it was open. */
export function useLesson(path: string): UseQueryResult<PlanLesson | null> {
  const { plan } = useServices().api;
  return useQuery<PlanLesson | null>({ queryKey: lessonKey(path), queryFn: () => plan.lesson(path) });
}

export function useLines(question: LinesQuestion): UseQueryResult<PlanLines> {
  const { plan } = useServices().api;
  return useQuery({ queryKey: [...PLAN_KEY, "lines", question], queryFn: () => plan.lines(question) });
}

/** The last answer stays until the next one is there, so that typing does not flicker. */
export function useSessions(question: SessionsQuestion): UseQueryResult<PlanSessions> {
  const { plan } = useServices().api;
  return useQuery({
    queryKey: [...SESSIONS_KEY, question],
    queryFn: () => plan.sessions(question),
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
      const transcript = await plan.transcript(session);
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
  return useQuery({ queryKey: PROPOSALS_KEY, queryFn: () => plan.proposals() });
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

// What the Plan page does, as React hooks.

/** `onStarted` is called even when the news of the run have replaced whatever asked. */
export function useAsk(onStarted: (started: PlanStarted) => void): UseMutationResult<PlanStarted, Error, PlanAsk> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (ask) => plan.ask(ask),
    onSuccess: (started) => {
      onStarted(started);
      takeInDeed(queries);
    },
  });
}

interface Branching {
  run: string;
  /** Null asks the same again. */
  input: string | null;
}

/** Asks something else where a run began. What was said there stays, one step aside. */
export function useBranch(onStarted: (started: PlanStarted) => void): UseMutationResult<PlanStarted, Error, Branching> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ run, input }) => plan.branch(run, input),
    onSuccess: (started) => {
      onStarted(started);
      takeInDeed(queries);
    },
  });
}

/** Answers a question. Whatever comes of it, also that somebody was quicker, the session is read again. */
export function useAnswer(gate: PlanGate): UseMutationResult<PlanGate, Error, Reply> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (reply) => plan.answer(gate.run, gate.gate, { revision: gate.revision, reply: { ...reply } }),
    onSuccess: (answered) => {
      takeInAnswer(queries, answered);
    },
    onError: () => {
      takeInDeed(queries);
    },
  });
}

export function useGoOn(): UseMutationResult<PlanStarted, Error, string> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (run) => plan.goOn(run),
    onSettled: () => {
      takeInDeed(queries);
    },
  });
}

export function useStop(): UseMutationResult<PlanStarted, Error, string> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (run) => plan.stop(run),
    onSettled: () => {
      takeInDeed(queries);
    },
  });
}

export function useSaveFile(path: string): UseMutationResult<PlanText, Error, FileWrite> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (write) => plan.writeFile(path, write),
    onSuccess: (written, { text }) => {
      // Before the file is shown in its new version: a draft of an old one would look like a conflict.
      useFileDrafts.getState().saved(written.path, text, written.version);
      queries.setQueryData<PlanText>(fileKey(written.path), written);
      takeInFile(queries, { path: written.path, action: "written" });
    },
    onError: () => {
      // Somebody may have been quicker: both texts are shown then.
      void queries.invalidateQueries({ queryKey: fileKey(path) });
    },
  });
}

/** `onDeleted` gets what writes the file again; it is called even when the news have closed whatever asked. */
export function useDeleteFile(
  path: string,
  onDeleted: (undo: () => Promise<unknown>) => void,
): UseMutationResult<unknown, Error, PlanText> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ version }) => plan.deleteFile(path, version),
    onSuccess: (_, { text }) => {
      onDeleted(async () => {
        const written = await plan.writeFile(path, { text });
        takeInFile(queries, { path: written.path, action: "written" });
      });
      takeInDeleted(queries, path);
      void queries.invalidateQueries({ queryKey: [...PLAN_KEY, "files"] });
    },
  });
}

export function useDecide(key: string): UseMutationResult<unknown, Error, Decision> {
  const { plan } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (decide) => plan.decide(key, decide),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: PROPOSALS_KEY });
      void queries.invalidateQueries({ queryKey: MEMORY_KEY });
    },
  });
}

// Texts of the workspace that are not saved yet.

export const useFileDrafts = createDrafts("paige-plan-files");

/** The browser asks before a tab is closed in which something is not saved. */
export function useWarningBeforeLeaving(): void {
  useWarning(useFileDrafts(({ drafts }) => Object.keys(drafts).length > 0));
}
