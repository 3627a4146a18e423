/** Which dialog or panel of the app lies over the page. There is never more than one. */

import { create } from "zustand";

export type Overlay = "palette" | "shortcuts" | "notices" | "more";

interface OverlayStore {
  shown: Overlay | null;
  /** What had the focus before; one dialog that leads to another does not change it. */
  opener: Element | null;
  show: (overlay: Overlay) => void;
  close: () => void;
}

export const useOverlay = create<OverlayStore>()((set) => ({
  shown: null,
  opener: null,
  show: (overlay) => {
    set(({ shown, opener }) => ({
      shown: overlay,
      opener: shown === null ? document.activeElement : opener,
    }));
  },
  close: () => {
    set({ shown: null });
  },
}));

/** Gives the focus back to where it was, unless a command has already moved it to another place. */
export function returnFocus(): void {
  const { opener } = useOverlay.getState();
  if (document.activeElement === document.body && opener instanceof HTMLElement) opener.focus();
}
