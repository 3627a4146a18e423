/** How the parts of the workspace share the window, as this browser was told. */

import { create } from "zustand";
import { persist } from "zustand/middleware";

import { within } from "../../../../ui/panes/sizes";

export const PANES = ["files", "editor", "coach"] as const;
export type Pane = (typeof PANES)[number];

export const FILES = { least: 160, most: 420, usual: 232, step: 16 };
export const COACH = { least: 260, most: 560, usual: 324, step: 16 };

interface PanesStore {
  pane: Pane;
  filesWidth: number;
  coachWidth: number;
  /** Only where it has room beside the others; elsewhere one chooses. */
  isFilesHidden: boolean;
  isCoachHidden: boolean;
  show: (pane: Pane) => void;
  setFiles: (width: number) => void;
  setCoach: (width: number) => void;
  hideFiles: (isHidden: boolean) => void;
  hideCoach: (isHidden: boolean) => void;
}

export const usePanes = create<PanesStore>()(
  persist(
    (set) => ({
      pane: "coach",
      filesWidth: FILES.usual,
      coachWidth: COACH.usual,
      isFilesHidden: false,
      isCoachHidden: false,
      show: (pane) => {
        // What is asked for is shown, also when it was put away before.
        set(pane === "coach" ? { pane, isCoachHidden: false } : { pane });
      },
      setFiles: (width) => {
        set({ filesWidth: within(width, FILES) });
      },
      setCoach: (width) => {
        set({ coachWidth: within(width, COACH) });
      },
      hideFiles: (isFilesHidden) => {
        set({ isFilesHidden });
      },
      hideCoach: (isCoachHidden) => {
        set({ isCoachHidden });
      },
    }),
    {
      name: "paige-coach-panes",
      partialize: ({ filesWidth, coachWidth, isFilesHidden, isCoachHidden }) => ({
        filesWidth,
        coachWidth,
        isFilesHidden,
        isCoachHidden,
      }),
    },
  ),
);
