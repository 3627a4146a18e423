/** The server's answers about decisions, rules and coding agents, as React hooks. */

import {
  keepPreviousData,
  useMutation,
  type UseMutationResult,
  useQuery,
  useQueryClient,
  type UseQueryResult,
} from "@tanstack/react-query";

import type { GuardFilter } from "../../api/guard-api";
import { useServices } from "../../services";
import type {
  GuardDecisions,
  GuardDone,
  GuardExplained,
  GuardHost,
  GuardHosts,
  GuardOverview,
  GuardPlan,
  GuardRules,
} from "../../wire/generated";

const GUARD_KEY = ["guard"] as const;
/** Hooks write to a file, and nobody tells the page: it looks while somebody looks at it. */
const LOOK_AGAIN_MS = 3000;

export function useOverview(isLive = true): UseQueryResult<GuardOverview> {
  const { guard } = useServices().api;
  return useQuery({
    queryKey: [...GUARD_KEY, "overview"],
    queryFn: () => guard.overview(),
    refetchInterval: isLive ? LOOK_AGAIN_MS : false,
  });
}

/** The last answer stays until the next one is there, so that typing does not flicker. */
export function useDecisions(filter: GuardFilter, limit: number, isLive: boolean): UseQueryResult<GuardDecisions> {
  const { guard } = useServices().api;
  return useQuery({
    queryKey: [...GUARD_KEY, "decisions", filter, limit],
    queryFn: () => guard.decisions(filter, limit),
    placeholderData: keepPreviousData,
    refetchInterval: isLive ? LOOK_AGAIN_MS : false,
  });
}

export function useRules(): UseQueryResult<GuardRules> {
  const { guard } = useServices().api;
  return useQuery({ queryKey: [...GUARD_KEY, "rules"], queryFn: () => guard.rules() });
}

export function useExplained(command: string, cwd: string): UseQueryResult<GuardExplained> {
  const { guard } = useServices().api;
  return useQuery({
    queryKey: [...GUARD_KEY, "explain", command, cwd],
    queryFn: () => guard.explain({ command, cwd }),
    enabled: command !== "",
  });
}

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
