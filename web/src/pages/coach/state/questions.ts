/** What was asked of the coach: explanations and reviews, from the question to the answer. */

import { create } from "zustand";

import type { ExplainResponse, ReviewResponse } from "../../../wire/generated";

export type Explanation = ExplainResponse["payload"];
export type Review = ReviewResponse["payload"];

export type Asked<T> =
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
