/** What this window knows of courses and sessions, as hooks; and what becomes of it when something changes. */

import {
  type QueryClient,
  type QueryKey,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";

import { useServices } from "../../services";
import type {
  StudyChanged,
  StudyCourse,
  StudyImported,
  NewCourse,
  StudyProfile,
  StudyProfileChange,
  StudyReport,
  StudyStart,
  StudyStep,
  StudyToday,
  StudyUndone,
} from "../../wire/generated";
import type { ImportWish } from "./api";

/** Everything read from the Study door is kept below this key. */
export const STUDY_KEY = ["study"] as const;
export const TODAY_KEY = [...STUDY_KEY, "today"] as const;
export const PROFILE_KEY = [...STUDY_KEY, "profile"] as const;

export function courseKey(course: string): QueryKey {
  return [...STUDY_KEY, "course", course];
}

export function stepKey(course: string): QueryKey {
  return [...STUDY_KEY, "step", course];
}

function progressKey(course: string): QueryKey {
  return [...STUDY_KEY, "progress", course];
}

export function fileKey(course: string, path: string): QueryKey {
  return [...STUDY_KEY, "file", course, path];
}

export function useToday(): UseQueryResult<StudyToday> {
  const { api } = useServices();
  return useQuery({ queryKey: TODAY_KEY, queryFn: () => api.study.today() });
}

export function useCourse(name: string): UseQueryResult<StudyCourse> {
  const { api } = useServices();
  return useQuery({ queryKey: courseKey(name), queryFn: () => api.study.course(name) });
}

export function useProgress(course: string): UseQueryResult<StudyReport> {
  const { api } = useServices();
  return useQuery({ queryKey: progressKey(course), queryFn: () => api.study.progress(course) });
}

export function useProfile(): UseQueryResult<StudyProfile> {
  const { api } = useServices();
  return useQuery({ queryKey: PROFILE_KEY, queryFn: () => api.study.profile() });
}

export function useSaveProfile(): UseMutationResult<StudyProfile, Error, StudyProfileChange> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change) => api.study.writeProfile(change),
    onSuccess: (profile) => {
      queries.setQueryData(PROFILE_KEY, profile);
      askAgain(queries, ["today", "progress", "course"]);
    },
  });
}

export function useMakeCourse(): UseMutationResult<StudyCourse, Error, NewCourse> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (wish) => api.study.makeCourse(wish),
    onSuccess: () => {
      askAgain(queries, ["today", "course"]);
    },
  });
}

export function useImportCourse(): UseMutationResult<StudyImported, Error, ImportWish> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (wish) => api.study.importCourse(wish),
    onSuccess: () => {
      askAgain(queries, ["today", "course"]);
    },
  });
}

/** Begins a session, or goes on with one of its kind; the session page shows the step that it answers. */
export function useStart(): UseMutationResult<StudyStep, Error, StudyStart> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (wish) => api.study.start(wish),
    onSuccess: (step) => {
      takeInStep(queries, step);
    },
  });
}

/** Takes the last recorded result of a course back, unless another one was recorded after it. */
export function useUndo(course: string): UseMutationResult<StudyUndone, Error, string> {
  const { api } = useServices();
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change) => api.study.undo(course, change),
    onSuccess: () => {
      askAgain(queries, ["today", "course", "progress"]);
    },
  });
}

/** The step of a session is known: it came as the answer to something this window did. */
export function takeInStep(queries: QueryClient, step: StudyStep): void {
  // A question that is on its way may bring an older step.
  void queries.cancelQueries({ queryKey: stepKey(step.course) });
  queries.setQueryData(stepKey(step.course), step);
  askAgain(queries, ["today", "course", "progress"]);
}

/** Somebody moved a session on: this window, another one, a terminal, an agent. */
export function takeInStudy(queries: QueryClient, { course }: StudyChanged["payload"]): void {
  void queries.invalidateQueries({
    queryKey: STUDY_KEY,
    // Files belong to one exercise: once it is over, nobody could answer.
    predicate: ({ queryKey: [, kind, name] }) => kind !== "file" && !(isOfOne(kind) && name !== course),
  });
}

function askAgain(queries: QueryClient, kinds: string[]): void {
  void queries.invalidateQueries({
    queryKey: STUDY_KEY,
    predicate: ({ queryKey: [, kind] }) => typeof kind === "string" && kinds.includes(kind),
  });
}

function isOfOne(kind: unknown): boolean {
  return kind === "course" || kind === "step" || kind === "progress";
}
