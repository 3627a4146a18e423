/** The button that goes round the themes. */

import { type LucideIcon, Monitor, Moon, Sun } from "lucide-react";
import type { ReactNode } from "react";

import { strings } from "../strings";
import { IconButton } from "../ui/button";
import { nextTheme, type Theme, useTheme } from "./theme";

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
