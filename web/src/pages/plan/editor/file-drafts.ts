/** Texts of files that are not saved yet; they outlive a look at another page, and a reload. */

import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

import { useWarningBeforeLeaving as useWarning } from "../../../ui/leaving";

export interface FileDraft {
  text: string;
  /** The version it was made from. */
  base: string;
}

interface FileDraftStore {
  drafts: Readonly<Record<string, FileDraft>>;
  keep: (path: string, draft: FileDraft) => void;
  drop: (path: string) => void;
  /** After a text was saved: what was typed meanwhile goes on from there. */
  saved: (path: string, text: string, version: string) => void;
}

export const useFileDrafts = create<FileDraftStore>()(
  persist(
    (set, get) => ({
      drafts: {},
      keep: (path, draft) => {
        set(({ drafts }) => ({ drafts: { ...drafts, [path]: draft } }));
      },
      drop: (path) => {
        set(({ drafts }) => ({ drafts: Object.fromEntries(Object.entries(drafts).filter(([name]) => name !== path)) }));
      },
      saved: (path, text, version) => {
        const { drafts, keep, drop } = get();
        const draft = drafts[path];
        if (draft === undefined || draft.text === text) drop(path);
        else keep(path, { text: draft.text, base: version });
      },
    }),
    // Of this tab: what is not saved is nobody else's business, and ends with it.
    { name: "paige-plan-files", storage: createJSONStorage(() => sessionStorage) },
  ),
);

/** The browser asks before a tab is closed in which something is not saved. */
export function useWarningBeforeLeaving(): void {
  useWarning(useFileDrafts(({ drafts }) => Object.keys(drafts).length > 0));
}
