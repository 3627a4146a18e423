/** Ways through a conversation without a mouse, and to where one comes from. */

import { useEffect } from "react";

import { type PageKey, usePageKeys } from "../../../keyboard/page-keys";
import { MODIFIER } from "../../../keyboard/shortcuts";
import { planStrings } from "../../../strings-plan";
import { takeLanding } from "./branching";
import { FIND_ID, openFind } from "./find/find-box";
import type { ReadingPlace } from "./reading-place";

const text = planStrings.keys;
const MOST_FRAMES = 60;

const KEYS: readonly PageKey[] = [
  { keys: [MODIFIER, "F"], does: text.find },
  { keys: ["Alt", "↑"], does: text.previous },
  { keys: ["Alt", "↓"], does: text.next },
  { keys: ["←", "→"], does: text.branches },
];

/** Ctrl+F searches the session (in its box the browser's own search opens); Alt with an arrow goes from request to request. */
export function useConversationKeys(session: string, place: ReadingPlace, count: number): void {
  usePageKeys(text.heading, KEYS);
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.shiftKey || document.querySelector("[role=dialog], [role=alertdialog]") !== null) return;
      if (event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey) && !event.altKey) {
        if (document.activeElement?.id === FIND_ID) return;
        event.preventDefault();
        openFind(session);
      }
      const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
      if (by === 0 || !event.altKey || event.ctrlKey || event.metaKey || isWriting(event.target)) return;
      event.preventDefault();
      const from = rowWithFocus() ?? (by < 0 ? place.firstRow() + 1 : place.firstRow() - 1);
      focusRow(place, Math.min(count - 1, Math.max(0, from + by)));
    };
    window.addEventListener("keydown", handle);
    return () => {
      window.removeEventListener("keydown", handle);
    };
  }, [session, place, count]);
}

/** Who chose another branch finds the request where the other one was, with the focus where it was. */
export function useLandingRow(session: string, place: ReadingPlace): void {
  useEffect(() => {
    const landing = takeLanding(session);
    if (landing === null) return;
    const { row } = landing;
    place.showRow(row, landing.offset);
    soon(() => {
      const button = place.rowElement(row)?.querySelector<HTMLElement>(`[data-branches] [data-way=${landing.way}]`);
      button?.focus({ preventScroll: true });
      return button !== undefined && button !== null;
    });
  }, [session, place]);
}

function focusRow(place: ReadingPlace, row: number): void {
  place.showRow(row);
  soon(() => {
    const element = place.rowElement(row);
    element?.focus({ preventScroll: true });
    return element !== null;
  });
}

/** Tries in each frame until it is done: what is far away is drawn a little later. */
function soon(attempt: () => boolean, left = MOST_FRAMES): void {
  if (attempt() || left === 0) return;
  requestAnimationFrame(() => {
    soon(attempt, left - 1);
  });
}

function rowWithFocus(): number | null {
  const row = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;
  return row === undefined ? null : Number(row);
}

/** In a text these keys move around in it. */
function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) return target.value !== "";
  return target.isContentEditable || target instanceof HTMLSelectElement;
}
