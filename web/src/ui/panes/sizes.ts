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
