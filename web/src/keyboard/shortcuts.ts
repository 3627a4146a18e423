/** The keys that work everywhere in the app. */

import { useEffect } from "react";

import { goToMemorySearch } from "../pages/memory/go-to-search";
import { useOverlay } from "./overlay";
import { useSingleKey } from "./single-key";

const IS_APPLE = /Mac|iPhone|iPad/.test(navigator.userAgent);

/** How the keyboard in use names the key for commands. */
export const MODIFIER = IS_APPLE ? "⌘" : "Ctrl";

export function useShortcuts(): void {
  useEffect(() => {
    window.addEventListener("keydown", handleKey);
    return () => {
      window.removeEventListener("keydown", handleKey);
    };
  }, []);
}

function handleKey(event: KeyboardEvent): void {
  if (event.key.toLowerCase() === "k" && (event.ctrlKey || event.metaKey) && !event.altKey && !event.shiftKey) {
    event.preventDefault();
    const { shown, show, close } = useOverlay.getState();
    if (shown === "palette") close();
    else show("palette");
    return;
  }
  if (!useSingleKey.getState().enabled || isTyping(event) || document.querySelector("[role=dialog], [role=alertdialog]")) return;
  if (event.key === "?") {
    event.preventDefault();
    useOverlay.getState().show("shortcuts");
  }
  if (event.key === "/") {
    event.preventDefault();
    goToMemorySearch();
  }
}

function isTyping({ target, ctrlKey, metaKey, altKey }: KeyboardEvent): boolean {
  if (ctrlKey || metaKey || altKey) return true;
  return target instanceof HTMLElement && (target.isContentEditable || target.matches("input, textarea, select"));
}
