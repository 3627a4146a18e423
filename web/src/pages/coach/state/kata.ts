/** The kata that is practised in this window, and what was said about the solutions. */

import { create } from "zustand";

import type { PracticeKataLoad, ReviewResponse } from "../../../wire/generated";
import { type Asked, NOT_ASKED } from "./questions";

export type LoadedKata = PracticeKataLoad["payload"];
export type KataReview = ReviewResponse["payload"];

interface KataStore {
  id: string | null;
  loaded: Asked<LoadedKata>;
  submitted: Asked<KataReview>;
  /** Reviews of this window, the newest first. */
  reviews: readonly KataReview[];
  open: (id: string) => void;
  takeReview: (review: KataReview) => void;
}

export const useKata = create<KataStore>()((set) => ({
  id: null,
  loaded: NOT_ASKED,
  submitted: NOT_ASKED,
  reviews: [],
  open: (id) => {
    set((store) => (store.id === id ? {} : { id, loaded: { state: "asking" }, submitted: NOT_ASKED, reviews: [] }));
  },
  takeReview: (answer) => {
    set(({ id, loaded, reviews }) => {
      if (answer.kataId !== id) return {};
      return { submitted: { state: "answered", answer }, reviews: [answer, ...reviews], loaded: afterReview(loaded, answer) };
    });
  },
}));

/** The kata as it is after one more attempt: counted, and with what that opened. */
function afterReview(loaded: Asked<LoadedKata>, { level, unlockedConstraints }: KataReview): Asked<LoadedKata> {
  if (loaded.state !== "answered") return loaded;
  const { kata, constraints, locked } = loaded.answer;
  const fresh = unlockedConstraints.filter(({ title }) => !constraints.some((known) => known.title === title));
  return {
    state: "answered",
    answer: {
      ...loaded.answer,
      kata: { ...kata, attemptsCount: kata.attemptsCount + 1, bestLevel: Math.max(kata.bestLevel ?? 1, level) },
      constraints: [...constraints, ...fresh],
      locked: locked.filter(({ title }) => !unlockedConstraints.some((open) => open.title === title)),
    },
  };
}
