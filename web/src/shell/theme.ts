/** The colour theme: the person's choice, remembered by this browser. */

import { create } from "zustand";
import { persist } from "zustand/middleware";

export const THEMES = ["system", "light", "dark"] as const;
export type Theme = (typeof THEMES)[number];

interface ThemeStore {
  theme: Theme;
  setTheme: (theme: Theme) => void;
}

/** `public/theme.js` reads the same entry before the first paint. */
export const useTheme = create<ThemeStore>()(
  persist(
    (set) => ({
      theme: "system",
      setTheme: (theme) => {
        set({ theme });
      },
    }),
    { name: "paige-theme" },
  ),
);

/** The theme after `theme` when one button goes round all of them. */
export function nextTheme(theme: Theme): Theme {
  return THEMES[(THEMES.indexOf(theme) + 1) % THEMES.length] ?? "system";
}

/** Shows the chosen theme now and after every change, until the returned function is called. */
export function applyTheme(root: HTMLElement): () => void {
  const show = ({ theme }: ThemeStore): void => {
    if (theme === "system") delete root.dataset.theme;
    else root.dataset.theme = theme;
  };
  show(useTheme.getState());
  return useTheme.subscribe(show);
}
