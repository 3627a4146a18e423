/** Answers that are being written; they outlive a look elsewhere, and a reload. */

import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

import type { PlanGate } from "../../../wire/generated";
import type { Picked, Reply } from "./interaction";

interface GateDraftStore {
  drafts: Readonly<Record<string, Reply>>;
  pick: (key: string, section: string, picked: Picked) => void;
  write: (key: string, place: number, text: string) => void;
  drop: (key: string) => void;
}

const EMPTY: Reply = { picked: {}, texts: [] };

export const useGateDrafts = create<GateDraftStore>()(
  persist(
    (set) => ({
      drafts: {},
      pick: (key, section, picked) => {
        set(({ drafts }) => {
          const draft = drafts[key] ?? EMPTY;
          return { drafts: { ...drafts, [key]: { ...draft, picked: { ...draft.picked, [section]: picked } } } };
        });
      },
      write: (key, place, text) => {
        set(({ drafts }) => {
          const draft = drafts[key] ?? EMPTY;
          const texts = Array.from({ length: Math.max(place + 1, draft.texts.length) }, (_, at) => draft.texts[at] ?? "");
          texts[place] = text;
          return { drafts: { ...drafts, [key]: { ...draft, texts } } };
        });
      },
      drop: (key) => {
        set(({ drafts }) => ({ drafts: Object.fromEntries(Object.entries(drafts).filter(([name]) => name !== key)) }));
      },
    }),
    { name: "paige-plan-answers", storage: createJSONStorage(() => sessionStorage) },
  ),
);

export function draftKey({ run, gate, revision }: PlanGate): string {
  return `${run}/${gate}/${revision}`;
}

/** What was answered so far. */
export function useDraft(key: string): Reply {
  return useGateDrafts(({ drafts }) => drafts[key] ?? EMPTY);
}
