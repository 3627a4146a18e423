/** Shows the tour while one is on; its card is fetched then. */

import type { ReactNode } from "react";
import { create } from "zustand";
import { persist } from "zustand/middleware";

import { late, useLate } from "../ui/late";

const CARD = late(() => import("./tour-card"));

export function Tour(): ReactNode {
  const step = useTour((tour) => tour.step);
  return step === null ? null : <Fetched step={step} />;
}

/** A card that cannot be fetched is no harm: whoever wants the tour starts it again. */
function Fetched({ step }: { step: number }): ReactNode {
  const { part } = useLate(CARD);
  return part === null ? null : <part.TourCard step={step} />;
}

// The tour through the doors: where somebody is in it, remembered by this browser.

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
