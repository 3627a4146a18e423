/** What the Plan page reads, as React hooks. */

import { keepPreviousData, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useLayoutEffect } from "react";

import { MEMORY_KEY } from "../../api/memory-cache";
import type { LinesQuestion, SessionsQuestion } from "../../api/plan-api";
import { askAfresh, fileKey, lessonKey, OVERVIEW_KEY, PLAN_KEY, PROPOSALS_KEY, SESSIONS_KEY, transcriptKey } from "../../api/plan-cache";
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
  PlanSessions,
  PlanText,
  PlanTranscript,
} from "../../wire/generated";
import { useLive } from "./live";
import { keepPages } from "./runs";

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
