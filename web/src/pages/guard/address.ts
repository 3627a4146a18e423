/** What the address of the page says: which part is shown, what is filtered, what is open, what is explained. */

import { useSearchParams } from "wouter";

import type { GuardFilter } from "../../api/guard-api";
import { guardStrings } from "../../strings-guard";
import type { GuardEntry } from "../../wire/generated";

export const TABS = ["decisions", "rules", "explain", "hosts"] as const;
export type Tab = (typeof TABS)[number];

interface Address {
  tab: Tab;
  filter: GuardFilter;
  /** The decision that is open. */
  id: string | null;
  /** The command that is explained. */
  command: string;
  cwd: string;
}

type Name = "tab" | "id" | "command" | "cwd" | keyof GuardFilter;

export interface AddressBar extends Address {
  /** Changes parts of the address; `null` takes one out. */
  go: (changes: Partial<Record<Name, string | null>>, options?: { replace?: boolean }) => void;
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
  const [found, setFound] = useSearchParams();
  return {
    tab: TABS.find((tab) => tab === found.get("tab")) ?? "decisions",
    filter: {
      verdict: readVerdict(found.get("verdict")),
      cli: found.get("cli"),
      session: found.get("session"),
      rule: found.get("rule"),
      event: found.get("event"),
      query: found.get("query") ?? "",
    },
    id: found.get("id"),
    command: found.get("command") ?? "",
    cwd: found.get("cwd") ?? "",
    go: (changes, options = {}) => {
      setFound((before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === null || value === "") after.delete(name);
          else after.set(name, value);
        }
        return after;
      }, options);
    },
  };
}

export function isFiltered(filter: GuardFilter): boolean {
  return Object.values(filter).some((value) => value !== null && value !== "");
}

function readVerdict(text: string | null): GuardEntry["verdict"] | null {
  return text !== null && isVerdict(text) ? text : null;
}

function isVerdict(text: string): text is GuardEntry["verdict"] {
  return Object.hasOwn(guardStrings.verdicts, text);
}
