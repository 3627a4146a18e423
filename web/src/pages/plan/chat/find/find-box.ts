/** Whether the search of a session is open, and for which words. */

import { create } from "zustand";

export const FIND_ID = "plan-find";

interface FindBoxStore {
  /** The session that is searched; null while the box is closed. */
  session: string | null;
  words: string;
  open: (session: string, words?: string) => void;
  type: (words: string) => void;
  close: () => void;
}

export const useFindBox = create<FindBoxStore>()((set) => ({
  session: null,
  words: "",
  open: (session, words) => {
    set((before) => ({ session, words: words ?? (before.session === session ? before.words : "") }));
  },
  type: (words) => {
    set({ words });
  },
  close: () => {
    set({ session: null, words: "" });
  },
}));

/** Opens the box, and writes go into it. */
export function openFind(session: string): void {
  useFindBox.getState().open(session);
  requestAnimationFrame(() => {
    const box = document.getElementById(FIND_ID);
    box?.focus();
    if (box instanceof HTMLInputElement) box.select();
  });
}
