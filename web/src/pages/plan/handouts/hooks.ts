/** What the pages about handouts read and do. */

import { useMutation, type UseMutationResult, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";

import { PLAN_KEY, PROPOSALS_KEY } from "../../../api/plan-cache";
import { useServices } from "../../../services";
import type { HandoutItem, HandoutMake, HandoutSeen } from "../../../wire/generated";

const HANDOUTS_KEY = [...PLAN_KEY, "handouts"] as const;
/** Answers come in while the page is open. */
const LOOK_MS = 15_000;

export function useHandouts(): UseQueryResult<HandoutItem[]> {
  const { handouts } = useServices().api;
  return useQuery({ queryKey: HANDOUTS_KEY, queryFn: () => handouts.list() });
}

export function useHandout(id: string): UseQueryResult<HandoutSeen> {
  const { handouts } = useServices().api;
  return useQuery({ queryKey: [...HANDOUTS_KEY, id], queryFn: () => handouts.read(id), refetchInterval: LOOK_MS });
}

export function useMake(onMade: (seen: HandoutSeen) => void): UseMutationResult<HandoutSeen, Error, HandoutMake> {
  const { handouts } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (make) => handouts.make(make),
    onSuccess: (seen) => {
      onMade(seen);
      void queries.invalidateQueries({ queryKey: HANDOUTS_KEY });
    },
  });
}

export type Change = "close" | "open" | "keep";

/** Opens or closes a handout, or hands its figures to the memory of the class. */
export function useChange(id: string): UseMutationResult<unknown, Error, Change> {
  const { handouts } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (change): Promise<unknown> => handouts[change](id),
    onSettled: () => {
      void queries.invalidateQueries({ queryKey: HANDOUTS_KEY });
      void queries.invalidateQueries({ queryKey: PROPOSALS_KEY });
    },
  });
}
