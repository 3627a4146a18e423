/** Texts that are not saved yet; they outlive a look at another page, and a reload. */

import { create } from "zustand";
import { createJSONStorage, persist, type StateStorage } from "zustand/middleware";

import { useWarningBeforeLeaving as useWarning } from "../../../ui/leaving";

export interface Draft {
  text: string;
  /** The mark of the text it was made from: the disk may hold another one by now. */
  base: string;
}

interface DraftStore {
  drafts: Readonly<Record<string, Draft>>;
  keep: (path: string, draft: Draft) => void;
  drop: (path: string) => void;
  /** After a text was saved: what was typed meanwhile goes on from there. */
  saved: (path: string, text: string) => void;
}

/** Of this tab. A browser that has no room for more keeps the text only as long as the tab lives. */
const storage: StateStorage = {
  getItem: (name) => sessionStorage.getItem(name),
  setItem: (name, value) => {
    try {
      sessionStorage.setItem(name, value);
    } catch {
      sessionStorage.removeItem(name);
    }
  },
  removeItem: (name) => {
    sessionStorage.removeItem(name);
  },
};

export const useDrafts = create<DraftStore>()(
  persist(
    (set, get) => ({
      drafts: {},
      keep: (path, draft) => {
        set(({ drafts }) => ({ drafts: { ...drafts, [path]: draft } }));
      },
      drop: (path) => {
        if (!(path in get().drafts)) return;
        set(({ drafts }) => ({ drafts: Object.fromEntries(Object.entries(drafts).filter(([name]) => name !== path)) }));
      },
      saved: (path, text) => {
        const { drafts, keep, drop } = get();
        const draft = drafts[path];
        if (draft === undefined || draft.text === text) drop(path);
        else keep(path, { text: draft.text, base: markOf(text) });
      },
    }),
    { name: "paige-coach-files", storage: createJSONStorage(() => storage) },
  ),
);

/** A short mark of a text: the same text has the same one. */
export function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${text.length}-${(hash >>> 0).toString(36)}`;
}

/** Whether what is typed was made from another text than the one on the disk. */
export function isStale(saved: string, { base }: Draft): boolean {
  return markOf(saved) !== base;
}

/** The browser asks before a tab is closed in which something is not saved. */
export function useWarningBeforeLeaving(): void {
  useWarning(useDrafts(({ drafts }) => Object.keys(drafts).length > 0));
}
