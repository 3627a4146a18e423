/** The picture of each theme. */

import { type LucideIcon, Monitor, Moon, Sun } from "lucide-react";

import type { Theme } from "./theme";

export const THEME_ICONS: Record<Theme, LucideIcon> = { system: Monitor, light: Sun, dark: Moon };
