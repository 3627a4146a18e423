/** What the address of the page says: which part is shown, what is searched, what is open. */

import { useSearchParams } from "wouter";

import type { MemoryItem } from "../../wire/generated";
import { strings } from "../../strings";

export const TABS = ["memories", "documents", "policies"] as const;
export type Tab = (typeof TABS)[number];

interface Address {
  tab: Tab;
  query: string;
  scope: MemoryItem["scope"] | null;
  project: string | null;
  history: boolean;
  /** The memory that is open. */
  id: string | null;
  /** The document that is open. */
  file: string | null;
}

type Changes = Partial<Record<"tab" | "query" | "scope" | "project" | "history" | "id" | "file", string | null>>;

export interface AddressBar extends Address {
  /** Changes parts of the address; `null` takes one out. */
  go: (changes: Changes, options?: { replace?: boolean }) => void;
}

export function useAddress(): AddressBar {
  const [found, setFound] = useSearchParams();
  return {
    tab: TABS.find((tab) => tab === found.get("tab")) ?? "memories",
    query: found.get("query") ?? "",
    scope: readScope(found.get("scope")),
    project: found.get("project"),
    history: found.get("history") === "true",
    id: found.get("id"),
    file: found.get("file"),
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

function readScope(text: string | null): MemoryItem["scope"] | null {
  return text !== null && isScope(text) ? text : null;
}

export function isScope(text: string): text is MemoryItem["scope"] {
  return Object.hasOwn(strings.memory.scopes, text);
}
