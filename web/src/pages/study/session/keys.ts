/** The keys of a session. Letters and digits rest while somebody types, and when they are turned off. */

import { useEffect, useRef } from "react";

import { useSingleKey } from "../../../shell/shortcuts";

type Handlers = Record<string, (() => void) | undefined>;

const WRITTEN_IN = "input:not([type=radio], [type=checkbox]), textarea, select";
const ENTERED = `${WRITTEN_IN}, button, a, summary, audio, [role=menuitem]`;

/** Calls the handler of a key as `KeyboardEvent.key` names it, in small letters. */
export function useKeys(handlers: Handlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase();
      const handler = latest.current[key];
      if (handler === undefined || !isMeantForThePage(event, key)) return;
      event.preventDefault();
      handler();
    };
    window.addEventListener("keydown", handle);
    return () => {
      window.removeEventListener("keydown", handle);
    };
  }, []);
}

function isMeantForThePage(event: KeyboardEvent, key: string): boolean {
  const { target, ctrlKey, metaKey, altKey, isComposing, repeat } = event;
  if (ctrlKey || metaKey || altKey || isComposing || repeat || event.defaultPrevented) return false;
  if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null) return false;
  if (key.length === 1 && !useSingleKey.getState().enabled) return false;
  if (!(target instanceof HTMLElement)) return true;
  // Enter on a button or a link is that button's.
  return !target.isContentEditable && !target.matches(key === "enter" ? ENTERED : WRITTEN_IN);
}
