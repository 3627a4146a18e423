/** What the command palette offers. */

import { useQueryClient } from "@tanstack/react-query";
import { ClipboardCopy, Keyboard, LogOut, type LucideIcon, RotateCw, Search } from "lucide-react";
import { useLocation } from "wouter";

import { useSession, useSignOut } from "../api/hooks";
import { useOverlay } from "../keyboard/overlay";
import { goToMemorySearch } from "../pages/memory/go-to-search";
import { ROUTES } from "../routes";
import { useCopyReport } from "../setup/copy-report";
import { strings } from "../strings";
import { THEMES, useTheme } from "../theme/theme";
import { THEME_ICONS } from "../theme/theme-icons";

export interface PaletteAction {
  label: string;
  icon: LucideIcon;
  run(): void;
}

export interface PaletteGroup {
  heading: string;
  actions: PaletteAction[];
}

export function usePaletteGroups(): PaletteGroup[] {
  const [, navigate] = useLocation();
  const setTheme = useTheme((store) => store.setTheme);
  const commands = useCommands();
  return [
    {
      heading: strings.palette.pages,
      actions: ROUTES.map(({ title, icon, path }) => ({
        label: title,
        icon,
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

function useCommands(): PaletteAction[] {
  const queries = useQueryClient();
  const copyReport = useCopyReport();
  const session = useSession();
  const signOut = useSignOut();
  const show = useOverlay((overlay) => overlay.show);
  const text = strings.palette;
  const commands: PaletteAction[] = [
    { label: text.searchMemory, icon: Search, run: goToMemorySearch },
    { label: text.copyReport, icon: ClipboardCopy, run: () => void copyReport() },
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
