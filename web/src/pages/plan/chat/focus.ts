/** Where the focus goes on the Plan page when what had it is gone. */

import { type RefObject, useEffect } from "react";

export const COMPOSER_ID = "plan-request";

/** Somebody has answered or asked: what comes of it may have the focus when it is there. */
let isAwaited = false;

export function awaitNext(): void {
  isAwaited = true;
}

/** Somebody reads something else meanwhile. */
export function awaitNothing(): void {
  isAwaited = false;
}

export function focusComposer(): void {
  // After the page is drawn; what is not shown cannot have the focus.
  requestAnimationFrame(() => {
    requestAnimationFrame(() => {
      document.getElementById(COMPOSER_ID)?.focus();
    });
  });
}

/** Leads to the question that waits. */
export function focusQuestion(): void {
  const question = document.querySelector("[data-open-gate]");
  question?.scrollIntoView({ block: "start" });
  question?.querySelector<HTMLElement>("h3")?.focus({ preventScroll: true });
}

/**
 * Gives the focus to what somebody waits for, when it appears: the next question, the end, or meanwhile
 * the line that says what Paige does. Nobody who has moved on is called back.
 */
export function useLanding(place: RefObject<HTMLElement | null>, kind: "question" | "end" | "meanwhile" | "none"): void {
  useEffect(() => {
    if (kind === "none" || !isAwaited || !isFocusFree() || place.current === null) return;
    place.current.focus({ preventScroll: true });
    (place.current.closest("section") ?? place.current).scrollIntoView({
      block: kind === "question" ? "start" : "nearest",
    });
    if (kind !== "meanwhile") isAwaited = false;
  }, [place, kind]);
}

function isFocusFree(): boolean {
  const { activeElement, body } = document;
  return activeElement === null || activeElement === body || activeElement.hasAttribute("data-landing");
}
