/**
 * What this person has seen, kept in this browser. The server is not told: a look at the phone says nothing about
 * the screen at work, and looking should not write. A notice with something new about it has a new id.
 */

import { useEffect } from "react";
import { create } from "zustand";
import { persist } from "zustand/middleware";

const KEY = "paige-seen-notices";
/** The oldest make room; what is that old no longer waits. */
const MOST = 500;

interface SeenStore {
  seen: readonly string[];
  see: (ids: readonly string[]) => void;
}

export const useSeen = create<SeenStore>()(
  persist(
    (set) => ({
      seen: [],
      see: (ids) => {
        set(({ seen }) => ({ seen: [...seen.filter((id) => !ids.includes(id)), ...ids].slice(-MOST) }));
      },
    }),
    { name: KEY },
  ),
);

/** Windows of one browser agree: what was seen in one is seen in the others. */
export function useSharedSeen(): void {
  useEffect(() => {
    const hear = (event: StorageEvent): void => {
      if (event.key === KEY) void useSeen.persist.rehydrate();
    };
    window.addEventListener("storage", hear);
    return () => {
      window.removeEventListener("storage", hear);
    };
  }, []);
}

/** How many things wait unseen, for the tab and the badge: whoever draws a title need not know the rest. */
export const useUnseenCount = create<{ count: number }>()(() => ({ count: 0 }));
