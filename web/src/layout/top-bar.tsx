/** The bar above every page: connection, commands and search, what waits, theme. */

import { Search } from "lucide-react";
import type { ReactNode } from "react";

import { useOverlay } from "../keyboard/overlay";
import { MODIFIER } from "../keyboard/shortcuts";
import { Bell } from "../notices/bell";
import { strings } from "../strings";
import { ThemeButton } from "../theme/theme-button";
import { ConnectionStatus } from "./connection-status";

export function TopBar(): ReactNode {
  const show = useOverlay((overlay) => overlay.show);
  return (
    <header className="sticky top-0 z-20 flex h-16 items-center gap-3 border-b border-line bg-paper px-4 sm:px-8">
      <img src="/favicon.svg" alt={strings.brand} width="28" height="28" className="md:hidden" />
      <ConnectionStatus className="mr-auto" />
      <button
        type="button"
        aria-keyshortcuts="Control+K Meta+K"
        onClick={() => {
          show("palette");
        }}
        className="flex min-h-11 items-center gap-2 rounded-md border border-edge bg-card px-3 text-ink-soft transition-colors hover:border-accent hover:text-accent"
      >
        <Search aria-hidden className="size-4" />
        <span className="max-sm:sr-only">{strings.palette.open}</span>
        <kbd aria-hidden className="ml-4 hidden font-sans text-sm sm:inline">
          {MODIFIER} K
        </kbd>
      </button>
      <Bell />
      <ThemeButton />
    </header>
  );
}
