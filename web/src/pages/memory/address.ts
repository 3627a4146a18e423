/** What the address of the page says: which part is shown, what is searched, what is open. */

import type { MemoryItem } from "../../wire/generated";
import { strings } from "../../strings";
import { type AddressParts, oneOf, useAddressParts } from "../../ui/address-bar";

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

export interface AddressBar extends Address {
  go: AddressParts<"tab" | "query" | "scope" | "project" | "history" | "id" | "file">["go"];
}

export function useAddress(): AddressBar {
  const { found, go } = useAddressParts();
  return {
    tab: TABS.find((tab) => tab === found.get("tab")) ?? "memories",
    query: found.get("query") ?? "",
    scope: oneOf(found.get("scope"), strings.memory.scopes),
    project: found.get("project"),
    history: found.get("history") === "true",
    id: found.get("id"),
    file: found.get("file"),
    go,
  };
}

export function isScope(text: string): text is MemoryItem["scope"] {
  return Object.hasOwn(strings.memory.scopes, text);
}
