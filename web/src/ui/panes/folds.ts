/** What was folded away and what was opened, as this browser was told; a reload changes nothing. */

import { create } from "zustand";
import { persist } from "zustand/middleware";

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
