/** The server's answers about learned guards, as React hooks. */

import { useMutation, type UseMutationResult, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";

import { useServices } from "../../../services";
import type { LearnedGuard, LearnedGuards, LearnedLessons } from "../../../wire/generated";

const GUARDS_KEY = ["guards"] as const;
/** Shadow counts grow while agents work, and nobody tells the page. */
const LOOK_AGAIN_MS = 10_000;

export function useGuards(): UseQueryResult<LearnedGuards> {
  const { learning } = useServices().api;
  return useQuery({ queryKey: [...GUARDS_KEY, "all"], queryFn: () => learning.guards(), refetchInterval: LOOK_AGAIN_MS });
}

export function useLessons(): UseQueryResult<LearnedLessons> {
  const { learning } = useServices().api;
  return useQuery({ queryKey: [...GUARDS_KEY, "lessons"], queryFn: () => learning.lessons() });
}

export type Move = "shadow" | "promote" | "rollback";

/** What a person says about a move. */
interface Said {
  why: string;
  force: boolean;
}

/** Takes a guard to another stage, with the reason that is kept. */
export function useMove(id: string, move: Move, onDone: () => void): UseMutationResult<LearnedGuard, Error, Said> {
  const { learning } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: ({ why, force }) => {
      if (move === "rollback") return learning.rollBack(id, { why });
      return move === "shadow" ? learning.shadow(id, { why, force }) : learning.promote(id, { why, force });
    },
    onSuccess: () => {
      onDone();
      void queries.invalidateQueries({ queryKey: GUARDS_KEY });
    },
  });
}

/** Tries a guard on its examples, on harmless actions and on the past; nothing moves. */
export function useTryOut(id: string): UseMutationResult<LearnedGuard, Error, undefined> {
  const { learning } = useServices().api;
  return useMutation({ mutationFn: () => learning.tryOut(id) });
}
