/** What was asked of the coach: explanations and reviews, from the question to the answer. */

import { create } from "zustand";

import type {
  DashboardDreyfus,
  ExplainResponse,
  PracticeKataLoad,
  RankedIssue,
  Recommendation,
  ReviewResponse,
} from "../../../wire/generated";
import type { Dashboard } from "../api";

export type Explanation = ExplainResponse["payload"];
export type Review = ReviewResponse["payload"];

type Asked<T> =
  | { state: "none" }
  | { state: "asking" }
  | { state: "answered"; answer: T }
  | { state: "failed"; message: string; hint: string | null };

export const NOT_ASKED = { state: "none" } as const;

interface QuestionsStore {
  explanation: Asked<Explanation>;
  review: Asked<Review>;
}

export const useQuestions = create<QuestionsStore>()(() => ({ explanation: NOT_ASKED, review: NOT_ASKED }));

interface DashboardStore {
  state: Dashboard | null;
  skills: DashboardDreyfus["payload"] | null;
  issues: Asked<RankedIssue[]>;
  materials: Asked<Recommendation[]>;
  failed: { message: string; hint: string | null } | null;
  takeState: (state: Dashboard) => void;
}

/** What the dashboard shows, as it comes in: counts at once, issues and materials when they are there. */
export const useDashboard = create<DashboardStore>()((set) => ({
  state: null,
  skills: null,
  issues: NOT_ASKED,
  materials: NOT_ASKED,
  failed: null,
  takeState: (state) => {
    set({ state, failed: null });
  },
}));

export type LoadedKata = PracticeKataLoad["payload"];
type KataReview = ReviewResponse["payload"];

interface KataStore {
  id: string | null;
  loaded: Asked<LoadedKata>;
  submitted: Asked<KataReview>;
  /** Reviews of this window, the newest first. */
  reviews: readonly KataReview[];
  open: (id: string) => void;
  takeReview: (review: KataReview) => void;
}

/** The kata that is practised in this window, and what was said about the solutions. */
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

interface TerminalStore {
  isShown: boolean;
  /** Why this window may not have one. */
  refused: { message: string; hint: string | null } | null;
}

/** What this window knows of its terminal. */
export const useTerminal = create<TerminalStore>()(() => ({ isShown: false, refused: null }));

interface LinkStore {
  /** How often the connection was opened. */
  time: number;
  /** A session was begun or resumed since then: this window has heard everything about it. */
  isFresh: boolean;
  connected: () => void;
}

/** How far this window has caught up with the server. */
export const useLink = create<LinkStore>()((set) => ({
  time: 0,
  isFresh: false,
  connected: () => {
    set(({ time }) => ({ time: time + 1, isFresh: false }));
  },
}));
