/** What the command palette offers. */

import { useQueryClient } from "@tanstack/react-query";
import { BookOpenText, ClipboardCopy, Footprints, Keyboard, LogOut, type LucideIcon, RotateCw, Search } from "lucide-react";
import { useLocation } from "wouter";

import { goToMemorySearch } from "../pages/memory/go-to-search";
import { INNER_PLACES, type Place } from "../pages/search/places";
import { findingStrings } from "../pages/search/strings";
import { type Route, ROUTES } from "../routes";
import { strings } from "../strings";
import { useCopyReport } from "../ui/setup";
import { useSession, useSignOut } from "../wire/hooks";
import { searchEverything } from "./go-to-search";
import { helpFor } from "./help";
import { useOverlay } from "./overlay";
import { tourStrings } from "./strings-tour";
import { THEMES, useTheme } from "./theme";
import { THEME_ICONS } from "./theme-button";
import { startTour } from "./tour";

export interface PaletteAction {
  label: string;
  icon: LucideIcon;
  /** Other words it is found by. */
  keywords?: readonly string[];
  run(): void;
}

export interface PaletteGroup {
  heading: string;
  actions: PaletteAction[];
}

/** `isSearched` says that something was typed: pages below the main ones are too many to be listed at once. */
export function usePaletteGroups(isSearched: boolean): PaletteGroup[] {
  const [, navigate] = useLocation();
  const setTheme = useTheme((store) => store.setTheme);
  const commands = useCommands();
  return [
    {
      heading: strings.palette.pages,
      actions: [...ROUTES.map(mainPlace), ...(isSearched ? INNER_PLACES : [])].map(({ title, about, icon, path }) => ({
        label: title,
        icon,
        keywords: about.split(" "),
        run: () => {
          navigate(path);
        },
      })),
    },
    {
      heading: strings.palette.themes,
      actions: THEMES.map((theme) => ({
        label: strings.palette.theme(strings.theme.names[theme]),
        icon: THEME_ICONS[theme],
        run: () => {
          setTheme(theme);
        },
      })),
    },
    { heading: strings.palette.commands, actions: commands },
  ];
}

function mainPlace({ title, icon, path }: Route): Place {
  return { title, about: "", icon, path };
}

function useCommands(): PaletteAction[] {
  const queries = useQueryClient();
  const copyReport = useCopyReport();
  const session = useSession();
  const signOut = useSignOut();
  const show = useOverlay((overlay) => overlay.show);
  const [path] = useLocation();
  const text = strings.palette;
  const commands: PaletteAction[] = [
    {
      label: findingStrings.label,
      icon: Search,
      run: () => {
        searchEverything();
      },
    },
    { label: text.searchMemory, icon: Search, run: goToMemorySearch },
    {
      label: strings.help,
      icon: BookOpenText,
      keywords: ["documentation", "docs", "manual"],
      run: () => {
        window.open(helpFor(path), "paige-help");
      },
    },
    { label: text.copyReport, icon: ClipboardCopy, run: () => void copyReport() },
    { label: tourStrings.start, icon: Footprints, run: startTour },
    { label: text.reload, icon: RotateCw, run: () => void queries.invalidateQueries() },
    {
      label: text.shortcuts,
      icon: Keyboard,
      run: () => {
        show("shortcuts");
      },
    },
  ];
  if (session.data?.required !== true) return commands;
  const leave: PaletteAction = {
    label: text.signOut,
    icon: LogOut,
    run: () => {
      signOut.mutate();
    },
  };
  return [...commands, leave];
}
