/** Enter sends what is written; with Shift it begins a new line. */

import type { KeyboardEvent } from "react";

export function sendOnEnter(event: KeyboardEvent, send: () => void): void {
  // Enter also ends a word in some scripts; that Enter sends nothing.
  if (event.key !== "Enter" || event.shiftKey || event.nativeEvent.isComposing) return;
  event.preventDefault();
  send();
}
