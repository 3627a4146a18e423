/** Leads to the search box of the memory, from wherever one is. */

import { navigate } from "wouter/use-browser-location";

export const SEARCH_ID = "memory-search";

export function goToMemorySearch(): void {
  const shown = document.getElementById(SEARCH_ID);
  if (shown === null) navigate("/memory");
  // After the page is drawn, and after a dialog that leads here has given the focus back.
  requestAnimationFrame(() => {
    requestAnimationFrame(focusSearch);
  });
}

export function focusSearch(): void {
  const box = document.getElementById(SEARCH_ID);
  if (!(box instanceof HTMLInputElement)) return;
  box.focus();
  box.select();
}
