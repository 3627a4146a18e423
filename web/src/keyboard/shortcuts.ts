/** The keys that work everywhere in the app. */

import { useEffect } from "react";

import { goToSearch } from "./go-to-search";
import { beginGoing, GO, goBy, stopGoing, useGoing } from "./going";
import { useOverlay } from "./overlay";
import { runPageKey } from "./page-keys";
import { useSingleKey } from "./single-key";

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);
/** Where letters choose among what is there. */
const BY_LETTERS = "[role=tree], [role=listbox], [role=menu], [role=grid]";
const DIALOGS = "[role=dialog], [role=alertdialog]";
const CONTROLS = "a, button, summary, [role=button], [role=checkbox], [role=switch], [role=tab]";
const HELD = ["Shift", "Control", "Alt", "Meta"];

/** How the keyboard in use names the key for commands. */
export const MODIFIER = IS_APPLE ? "⌘" : "Ctrl";

export function useShortcuts(): void {
  useEffect(() => {
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
