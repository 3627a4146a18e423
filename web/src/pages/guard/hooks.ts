/** The server's answers about decisions and rules, as React hooks. */

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useServices } from "../../services";
import type { GuardDecisions, GuardExplained, GuardOverview, GuardRules } from "../../wire/generated";
import { GUARD_KEY, type GuardFilter } from "./api";

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
