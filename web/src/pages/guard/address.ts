/** What the address of the page says: which part is shown, what is filtered, what is open, what is explained. */

import { type AddressParts, oneOf, useAddressParts } from "../../ui/address-bar";
import type { GuardFilter } from "./api";
import { guardStrings } from "./strings";

export const TABS = ["decisions", "rules", "explain", "hosts"] as const;
export type Tab = (typeof TABS)[number];

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
