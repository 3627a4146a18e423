/** The server's answers about decisions and rules, as React hooks. */

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useServices } from "../../services";
import { type AddressParts, oneOf, useAddressParts } from "../../ui/address-bar";
import type { GuardDecisions, GuardExplained, GuardOverview, GuardRules } from "../../wire/generated";
import { GUARD_KEY, type GuardFilter } from "./api";
import { guardStrings } from "./strings";

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

// What the address of the page says: which part is shown, what is filtered, what is open, what is explained.

export const TABS = ["decisions", "rules", "explain", "hosts"] as const;
type Tab = (typeof TABS)[number];

export interface AddressBar {
  tab: Tab;
  filter: GuardFilter;
  /** The decision that is open. */
  id: string | null;
  /** The command that is explained. */
  command: string;
  cwd: string;
  go: AddressParts<"tab" | "id" | "command" | "cwd" | keyof GuardFilter>["go"];
}

export const NO_FILTER: Record<keyof GuardFilter, null> = {
  verdict: null,
  cli: null,
  session: null,
  rule: null,
  event: null,
  query: null,
};

export function useAddress(): AddressBar {
  const { found, go } = useAddressParts();
  return {
    tab: TABS.find((tab) => tab === found.get("tab")) ?? "decisions",
    filter: {
      verdict: oneOf(found.get("verdict"), guardStrings.verdicts),
      cli: found.get("cli"),
      session: found.get("session"),
      rule: found.get("rule"),
      event: found.get("event"),
      query: found.get("query") ?? "",
    },
    id: found.get("id"),
    command: found.get("command") ?? "",
    cwd: found.get("cwd") ?? "",
    go,
  };
}
