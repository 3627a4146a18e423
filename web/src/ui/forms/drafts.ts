/** Texts that are not saved yet; they outlive a look at another page, and a reload. Each door has its own. */

import { useEffect } from "react";
import { create, type StoreApi, type UseBoundStore } from "zustand";
import { createJSONStorage, persist, type StateStorage } from "zustand/middleware";

export interface Draft {
  text: string;
  /** The version it was made from: there may be another one by now. */
  base: string;
}

interface DraftStore {
  drafts: Readonly<Record<string, Draft>>;
  keep: (path: string, draft: Draft) => void;
  drop: (path: string) => void;
  /** After a text was saved: what was typed meanwhile goes on from there. */
  saved: (path: string, text: string, version: string) => void;
}

/**
 * Of this tab: what is not saved is nobody else's business, and ends with it. A browser that has no room for more
 * keeps the text only as long as the page lives.
 */
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

export function createDrafts(name: string): UseBoundStore<StoreApi<DraftStore>> {
  return create<DraftStore>()(
    persist(
      (set, get) => ({
        drafts: {},
        keep: (path, draft) => {
          set(({ drafts }) => ({ drafts: { ...drafts, [path]: draft } }));
        },
        drop: (path) => {
          if (!(path in get().drafts)) return;
          set(({ drafts }) => ({ drafts: Object.fromEntries(Object.entries(drafts).filter(([other]) => other !== path)) }));
        },
        saved: (path, text, version) => {
          const { drafts, keep, drop } = get();
          const draft = drafts[path];
          if (draft === undefined || draft.text === text) drop(path);
          else keep(path, { text: draft.text, base: version });
        },
      }),
      { name, storage: createJSONStorage(() => storage) },
    ),
  );
}

// The browser asks before a tab is closed in which something is not saved.

export function useWarningBeforeLeaving(isChanged: boolean): void {
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => {
      window.removeEventListener("beforeunload", ask);
    };
  }, [isChanged]);
}
