/** Texts of documents that are not saved yet; they outlive a look at another page. */

import { create } from "zustand";

export interface Draft {
  text: string;
  /** The version it was made from. */
  base: string;
}

interface DraftStore {
  drafts: Readonly<Record<string, Draft>>;
  keep: (path: string, draft: Draft) => void;
  drop: (path: string) => void;
}

export const useDrafts = create<DraftStore>()((set) => ({
  drafts: {},
  keep: (path, draft) => {
    set(({ drafts }) => ({ drafts: { ...drafts, [path]: draft } }));
  },
  drop: (path) => {
    set(({ drafts }) => ({ drafts: Object.fromEntries(Object.entries(drafts).filter(([name]) => name !== path)) }));
  },
}));
