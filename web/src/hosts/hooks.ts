/** The server's answers about coding agents and what guards them, as React hooks. */

import { useMutation, type UseMutationResult, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";

import { GUARD_KEY } from "../api/guard-api";
import { useServices } from "../services";
import type { GuardDone, GuardHost, GuardHosts, GuardPlan } from "../wire/generated";

export function useHosts(): UseQueryResult<GuardHosts> {
  const { guard } = useServices().api;
  return useQuery({ queryKey: [...GUARD_KEY, "hosts"], queryFn: () => guard.hosts() });
}

/** What is to be done to the settings of a coding agent. */
export interface Wish {
  cli: GuardHost["cli"];
  action: GuardPlan["action"];
  level: GuardPlan["level"];
}

export function usePlan({ cli, action, level }: Wish): UseQueryResult<GuardPlan> {
  const { guard } = useServices().api;
  return useQuery({
    queryKey: [...GUARD_KEY, "plan", cli, action, level],
    queryFn: () => guard.plan(cli, { action, level }),
    staleTime: 0,
    gcTime: 0,
    retry: false,
  });
}

/** Carries out a plan; `onDone` is called before everything is read again. */
export function useCarryOut(
  { cli, action, level }: Wish,
  onDone: (done: GuardDone) => void,
): UseMutationResult<GuardDone, Error, string> {
  const { guard } = useServices().api;
  const queries = useQueryClient();
  return useMutation({
    mutationFn: (digest) => guard.carryOut(cli, { action, level, digest }),
    onSuccess: (done) => {
      onDone(done);
      void queries.invalidateQueries({ queryKey: GUARD_KEY, predicate: ({ queryKey }) => queryKey[1] !== "plan" });
    },
  });
}
