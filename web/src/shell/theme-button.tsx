/** The button that goes round the themes. */

import { type LucideIcon, Monitor, Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";
import { create } from "zustand";
import { persist } from "zustand/middleware";

import { strings } from "../strings";
import { IconButton } from "../ui/button";

export function ThemeButton({ className }: { className?: string }): ReactNode {
  const { theme, setTheme } = useTheme();
  const next = nextTheme(theme);
  const Icon = THEME_ICONS[theme];
  return (
    <IconButton
      className={className}
      label={strings.theme.button(strings.theme.names[theme], strings.theme.names[next])}
      onClick={() => {
        setTheme(next);
      }}
    >
      <Icon aria-hidden className="size-5" />
    </IconButton>
  );
}

/** The picture of each theme. */
export const THEME_ICONS: Record<Theme, LucideIcon> = { system: Monitor, light: Sun, dark: Moon };

// The name of the product beside its little exercise book.

export function Brand(): ReactNode {
  return (
    <span className="flex items-center gap-2.5 font-heading text-xl font-semibold">
      <img src="/favicon.svg" alt="" width="28" height="28" />
      {strings.brand}
    </span>
  );
}

// The colour theme: the person's choice, remembered by this browser.

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
