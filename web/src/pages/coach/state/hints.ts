/** What Paige put on the desk: highlighted lines and glowing files, and how much of it one wants to see. */

import { create } from "zustand";

import type { Decoration, FileHint } from "../../../wire/generated";

export const LEVELS = ["none", "file", "region", "line"] as const;
export type HintLevel = (typeof LEVELS)[number];

interface HintsStore {
  /** Highlights by file, the newest last. */
  decorations: Readonly<Record<string, readonly Decoration[]>>;
  /** Glowing files by path. */
  fileHints: Readonly<Record<string, FileHint>>;
  level: HintLevel;
  /** Whether the person chose the level; until then everything Paige shows is shown. */
  isChosen: boolean;
  setDecorations: (path: string, decorations: readonly Decoration[]) => void;
  addDecoration: (path: string, decoration: Decoration) => void;
  clearDecorations: (path: string | null) => void;
  addFileHints: (hints: readonly FileHint[]) => void;
  clearFileHints: () => void;
  takeLevel: (level: string) => void;
  chooseLevel: (level: HintLevel) => void;
  reset: () => void;
}

export const useHints = create<HintsStore>()((set) => ({
  decorations: {},
  fileHints: {},
  level: "line",
  isChosen: false,
  setDecorations: (path, decorations) => {
    set((store) => ({ decorations: { ...store.decorations, [path]: decorations } }));
  },
  addDecoration: (path, decoration) => {
    set(({ decorations }) => {
      const others = (decorations[path] ?? []).filter((known) => !isSame(known, decoration));
      return { decorations: { ...decorations, [path]: [...others, decoration] } };
    });
  },
  clearDecorations: (path) => {
    set(({ decorations }) => ({
      decorations:
        path === null ? {} : Object.fromEntries(Object.entries(decorations).filter(([name]) => name !== path)),
    }));
  },
  addFileHints: (hints) => {
    set(({ fileHints }) => ({
      fileHints: { ...fileHints, ...Object.fromEntries(hints.map((hint) => [hint.path, hint])) },
    }));
  },
  clearFileHints: () => {
    set({ fileHints: {} });
  },
  takeLevel: (level) => {
    const known = LEVELS.find((name) => name === level);
    if (known !== undefined) set({ level: known });
  },
  chooseLevel: (level) => {
    set({ level, isChosen: true });
  },
  reset: () => {
    set({ level: "line", isChosen: false });
  },
}));

/** Whether highlights in files are shown. */
export function showsLines({ level, isChosen }: Pick<HintsStore, "level" | "isChosen">): boolean {
  return !isChosen || level === "region" || level === "line";
}

/** Whether files glow. */
export function showsFiles({ level, isChosen }: Pick<HintsStore, "level" | "isChosen">): boolean {
  return !isChosen || level !== "none";
}

const NONE: readonly Decoration[] = [];

/** The highlights of a file that are to be seen. */
export function useDecorations(path: string): readonly Decoration[] {
  return useHints((store) => (showsLines(store) ? (store.decorations[path] ?? NONE) : NONE));
}

function isSame(one: Decoration, other: Decoration): boolean {
  return one.start === other.start && one.end === other.end && one.style === other.style && one.hoverText === other.hoverText;
}
