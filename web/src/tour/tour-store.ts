/** The tour through the doors: where somebody is in it, remembered by this browser. */

import { create } from "zustand";
import { persist } from "zustand/middleware";

export const STEPS = ["plan", "study", "coach", "guard", "more"] as const;
export type StepName = (typeof STEPS)[number];

interface TourStore {
  /** The step that is shown; null while no tour is on. */
  step: number | null;
  /** The step whose page was shown: a page that is loaded again stays where it is. */
  arrived: number | null;
  /** Whether somebody has chosen how to begin: Home does not ask again. */
  hasBegun: boolean;
  start: () => void;
  goTo: (step: number) => void;
  arrive: () => void;
  end: () => void;
  begin: () => void;
}

export const useTour = create<TourStore>()(
  persist(
    (set) => ({
      step: null,
      arrived: null,
      hasBegun: false,
      start: () => {
        set({ step: 0, arrived: null, hasBegun: true });
      },
      goTo: (step) => {
        set({ step: Math.min(Math.max(step, 0), STEPS.length - 1) });
      },
      arrive: () => {
        set(({ step }) => ({ arrived: step }));
      },
      end: () => {
        set({ step: null, arrived: null, hasBegun: true });
      },
      begin: () => {
        set({ hasBegun: true });
      },
    }),
    { name: "paige-tour" },
  ),
);

/** Begins the tour from wherever somebody is. */
export function startTour(): void {
  useTour.getState().start();
}
