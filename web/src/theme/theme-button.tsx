/** The button that goes round the themes. */

import type { ReactNode } from "react";

import { strings } from "../strings";
import { IconButton } from "../ui/button";
import { nextTheme, useTheme } from "./theme";
import { THEME_ICONS } from "./theme-icons";

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
