/** How the panes share the window, as this browser was told. */

import { create } from "zustand";
import { persist } from "zustand/middleware";

import { useMediaQuery } from "../media";

/** Where all parts have room, where the workspace and one other have, where only one has. */
export type Room = "wide" | "middle" | "narrow";

const WIDE = "(min-width: 80rem)";
const MIDDLE = "(min-width: 64rem)";

export const WORKSPACE = { least: 200, most: 420, usual: 248, step: 16 };
/** Of what the workspace leaves, in percent. */
export const DOCUMENT = { least: 30, most: 70, usual: 54, step: 2 };

interface SizesStore {
  workspace: number;
  document: number;
  isWorkspaceHidden: boolean;
  setWorkspace: (width: number) => void;
  setDocument: (share: number) => void;
  hideWorkspace: (isHidden: boolean) => void;
}

export const useSizes = create<SizesStore>()(
  persist(
    (set) => ({
      workspace: WORKSPACE.usual,
      document: DOCUMENT.usual,
      isWorkspaceHidden: false,
      setWorkspace: (width) => {
        set({ workspace: within(width, WORKSPACE) });
      },
      setDocument: (share) => {
        set({ document: within(share, DOCUMENT) });
      },
      hideWorkspace: (isHidden) => {
        set({ isWorkspaceHidden: isHidden });
      },
    }),
    { name: "paige-plan-panes" },
  ),
);

export function within(value: number, { least, most }: { least: number; most: number }): number {
  return Math.round(Math.min(most, Math.max(least, value)));
}

export function useRoom(): Room {
  const isWide = useMediaQuery(WIDE);
  const isMiddle = useMediaQuery(MIDDLE);
  if (isWide) return "wide";
  return isMiddle ? "middle" : "narrow";
}

// What was folded away and what was opened, as this browser was told; a reload changes nothing.

interface FoldsStore {
  /** Only what somebody has decided; everything else is as it usually is. */
  folds: Readonly<Record<string, boolean>>;
  fold: (name: string, isOpen: boolean) => void;
}

export const useFolds = create<FoldsStore>()(
  persist(
    (set) => ({
      folds: {},
      fold: (name, isOpen) => {
        set(({ folds }) => ({ folds: { ...folds, [name]: isOpen } }));
      },
    }),
    { name: "paige-folds" },
  ),
);

/** Whether something is open, and how to change that. The name begins with the door it belongs to. */
export function useFold(name: string, usual: boolean): [isOpen: boolean, fold: (isOpen: boolean) => void] {
  const isOpen = useFolds(({ folds }) => folds[name]) ?? usual;
  return [
    isOpen,
    (wanted) => {
      // A browser also tells when it has opened something as it was asked to.
      if (wanted !== isOpen) useFolds.getState().fold(name, wanted);
    },
  ];
}
