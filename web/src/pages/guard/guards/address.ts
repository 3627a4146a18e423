/** What the address says: which part is shown, which guard is open. */

import { useSearchParams } from "wouter";

export const TABS = ["stages", "patterns", "report"] as const;
export type Tab = (typeof TABS)[number];

interface AddressBar {
  tab: Tab;
  id: string | null;
  go: (changes: Partial<Record<"tab" | "id", string | null>>) => void;
}

export function useAddress(): AddressBar {
  const [found, setFound] = useSearchParams();
  return {
    tab: TABS.find((tab) => tab === found.get("tab")) ?? "stages",
    id: found.get("id"),
    go: (changes) => {
      setFound((before) => {
        const after = new URLSearchParams(before);
        for (const [name, value] of Object.entries(changes)) {
          if (value === null) after.delete(name);
          else after.set(name, value);
        }
        return after;
      });
    },
  };
}
