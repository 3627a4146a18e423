/**
 * Whether shortcuts of one character work. People who speak to their computer trigger them by
 * accident, so WCAG 2.1.4 asks for a way to turn them off.
 */

import { create } from "zustand";
import { persist } from "zustand/middleware";

interface SingleKeyStore {
  enabled: boolean;
  setEnabled: (enabled: boolean) => void;
}

export const useSingleKey = create<SingleKeyStore>()(
  persist(
    (set) => ({
      enabled: true,
      setEnabled: (enabled) => {
        set({ enabled });
      },
    }),
    { name: "paige-single-key" },
  ),
);
