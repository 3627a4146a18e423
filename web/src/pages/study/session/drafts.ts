/** What was typed and not handed in yet. It outlives a reload, and a server that has stopped. */

import { create } from "zustand";
import { persist } from "zustand/middleware";

/** Drafts of exercises that nobody went on with are let go, oldest first. */
const MOST = 40;

interface DraftStore {
  drafts: Record<string, string>;
  keep: (key: string, text: string) => void;
  drop: (key: string) => void;
}

export const useDrafts = create<DraftStore>()(
  persist(
    (set) => ({
      drafts: {},
      keep: (key, text) => {
        set(({ drafts }) => {
          const others = Object.entries(without(drafts, key)).slice(1 - MOST);
          return { drafts: Object.fromEntries([...others, [key, text]]) };
        });
      },
      drop: (key) => {
        set(({ drafts }) => ({ drafts: without(drafts, key) }));
      },
    }),
    { name: "paige-study-drafts" },
  ),
);

function without(drafts: Record<string, string>, key: string): Record<string, string> {
  return Object.fromEntries(Object.entries(drafts).filter(([name]) => name !== key));
}

/** The draft of one thing that is asked: its text, and how to change it. An empty text is no draft. */
export function useDraft(key: string): [string, (text: string) => void] {
  const text = useDrafts(({ drafts }) => drafts[key] ?? "");
  const { keep, drop } = useDrafts.getState();
  return [
    text,
    (next) => {
      if (next === "") drop(key);
      else keep(key, next);
    },
  ];
}
