/** The keys that work everywhere in the app. */

import { useEffect, useId, useLayoutEffect } from "react";
import { navigate } from "wouter/use-browser-location";
import { create } from "zustand";
import { persist } from "zustand/middleware";

import { DOOR_ROUTES, MEMORY_ROUTE, type Route, ROUTES, SETTINGS_ROUTE, TRACES_ROUTE } from "../routes";
import { useOverlay } from "./overlay";
import { goToSearch } from "./page";

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** Where letters choose among what is there. */
const BY_LETTERS = "[role=tree], [role=listbox], [role=menu], [role=grid]";
const DIALOGS = "[role=dialog], [role=alertdialog]";
const CONTROLS = "a, button, summary, [role=button], [role=checkbox], [role=switch], [role=tab]";
const HELD = ["Shift", "Control", "Alt", "Meta"];

/** How the keyboard in use names the key for commands. */
export const MODIFIER = IS_APPLE ? "⌘" : "Ctrl";

export function useShortcuts(): void {
  // Before anything is painted: whoever sees the page may press a key.
  useLayoutEffect(() => {
    // Before the page hears of it: the second key of two may be one of its own.
    window.addEventListener("keydown", handleKey, { capture: true });
    return () => {
      window.removeEventListener("keydown", handleKey, { capture: true });
      stopGoing();
    };
  }, []);
}

function handleKey(event: KeyboardEvent): void {
  if (HELD.includes(event.key)) return;
  if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    event.preventDefault();
    const { shown, show, close } = useOverlay.getState();
    if (shown === "palette") close();
    else show("palette");
    return;
  }
  if (!useSingleKey.getState().enabled || isTyping(event) || document.querySelector(DIALOGS) !== null) {
    stopGoing();
    return;
  }
  if (isTaken(event)) {
    event.preventDefault();
    event.stopImmediatePropagation();
  }
}

/** Carries out what one key alone does; says whether it does anything. */
function isTaken(event: KeyboardEvent): boolean {
  if (useGoing.getState().isAsked) return goBy(event.key);
  if (event.key === "?") {
    useOverlay.getState().show("shortcuts");
    return true;
  }
  if (!isForControl(event) && runPageKey(event.key)) return true;
  if (event.key === "/") {
    goToSearch();
    return true;
  }
  if (event.key.toUpperCase() !== GO || isChosenByLetters(event.target)) return false;
  beginGoing();
  return true;
}

/** Enter and the space bar belong to the button or the link they are pressed on. */
function isForControl({ key, target }: KeyboardEvent): boolean {
  return (key === "Enter" || key === " ") && target instanceof Element && target.closest(CONTROLS) !== null;
}

function isChosenByLetters(target: EventTarget | null): boolean {
  return target instanceof Element && target.closest(BY_LETTERS) !== null;
}

function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}

// Two keys that lead to a page: G, then the letter of the page.

export const GO = "G";
/** So long the second key is waited for. */
const WAIT_MS = 1500;

const LETTERS: Readonly<Record<string, string>> = {
  "/": "H",
  [DOOR_ROUTES[0].path]: "P",
  [DOOR_ROUTES[1].path]: "S",
  [DOOR_ROUTES[2].path]: "C",
  [DOOR_ROUTES[3].path]: "U",
  [MEMORY_ROUTE.path]: "M",
  [TRACES_ROUTE.path]: "T",
  [SETTINGS_ROUTE.path]: "E",
};

interface Goal {
  letter: string;
  route: Route;
}

export const GOALS: readonly Goal[] = ROUTES.flatMap((route) => {
  const letter = LETTERS[route.path];
  return letter === undefined ? [] : [{ letter, route }];
});
/** G and N: not to a page, but to what waits for the person. */
export const TO_NOTICES = "N";

interface Going {
  /** Whether the next key says where to. */
  isAsked: boolean;
}

export const useGoing = create<Going>()(() => ({ isAsked: false }));

let timer: ReturnType<typeof setTimeout> | undefined;

function beginGoing(): void {
  clearTimeout(timer);
  useGoing.setState({ isAsked: true });
  timer = setTimeout(stopGoing, WAIT_MS);
}

function stopGoing(): void {
  clearTimeout(timer);
  useGoing.setState({ isAsked: false });
}

/** Goes where the second key says; says whether it leads anywhere. */
function goBy(pressed: string): boolean {
  stopGoing();
  const letter = pressed.toUpperCase();
  if (letter === TO_NOTICES) {
    useOverlay.getState().show("notices");
    return true;
  }
  const goal = GOALS.find((each) => each.letter === letter);
  if (goal !== undefined) navigate(goal.route.path);
  return goal !== undefined;
}

// The keys that a page has of its own. It says them here while it is shown: the keyboard help lists them, and those
// with a `run` are carried out. Nobody types in a box or answers a dialog with them.

export interface PageKey {
  /** Keys that are held together, as they are written on a keyboard: `["Shift", "Enter"]`. */
  keys: readonly string[];
  does: string;
  /** What one key alone does; without it the page listens itself, and the key is only listed. */
  run?: () => void;
}

interface PageKeys {
  heading: string;
  keys: readonly PageKey[];
}

export const useRegistry = create<Record<string, PageKeys>>()(() => ({}));

/** Lists keys in the keyboard help, below a heading, for as long as the caller is shown. */
export function usePageKeys(heading: string, keys: readonly PageKey[]): void {
  const id = useId();
  useEffect(() => {
    useRegistry.setState({ [id]: { heading, keys } });
  }, [id, heading, keys]);
  useEffect(
    () => () => {
      const others = Object.entries(useRegistry.getState()).filter(([each]) => each !== id);
      useRegistry.setState(Object.fromEntries(others), true);
    },
    [id],
  );
}

/** Carries out what the shown page does with a key; says whether it does anything. */
function runPageKey(pressed: string): boolean {
  for (const { keys } of Object.values(useRegistry.getState())) {
    const found = keys.find(({ keys: [only, ...more], run }) => more.length === 0 && run !== undefined && isSame(only, pressed));
    if (found?.run === undefined) continue;
    found.run();
    return true;
  }
  return false;
}

function isSame(written: string | undefined, pressed: string): boolean {
  return written?.toLowerCase() === pressed.toLowerCase();
}

interface SingleKeyStore {
  enabled: boolean;
  setEnabled: (enabled: boolean) => void;
}

/**
 * Whether shortcuts of one character work. People who speak to their computer trigger them by
 * accident, so WCAG 2.1.4 asks for a way to turn them off.
 */
export const useSingleKey = create<SingleKeyStore>()(
  persist(
    (set) => ({
      enabled: true,
      setEnabled: (enabled) => {
        set({ enabled });
      },
    }),
    { name: "paige-single-key" },
  ),
);
