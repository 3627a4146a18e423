/** Solutions that were begun; they outlive a look at another page, and a reload. */

import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

interface SolutionStore {
  solutions: Readonly<Record<string, string>>;
  keep: (kata: string, code: string) => void;
  drop: (kata: string) => void;
}

export const useSolutions = create<SolutionStore>()(
  persist(
    (set) => ({
      solutions: {},
      keep: (kata, code) => {
        set(({ solutions }) => ({ solutions: { ...solutions, [kata]: code } }));
      },
      drop: (kata) => {
        set(({ solutions }) => ({ solutions: Object.fromEntries(Object.entries(solutions).filter(([id]) => id !== kata)) }));
      },
    }),
    { name: "paige-coach-solutions", storage: createJSONStorage(() => sessionStorage) },
  ),
);
