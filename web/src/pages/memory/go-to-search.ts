/** Leads to the search box of the memory, from wherever one is. */

import { navigate } from "wouter/use-browser-location";

export const SEARCH_ID = "memory-search";

/** About five seconds. */
const MOST_FRAMES = 300;

export function goToMemorySearch(): void {
  if (document.getElementById(SEARCH_ID) === null) navigate("/memory");
  // After the page is drawn, and after a dialog that leads here has given the focus back.
  requestAnimationFrame(() => {
    focusOnceShown(MOST_FRAMES);
  });
}

/** The page may be on its way still: its part of the app is loaded when it is first opened. */
function focusOnceShown(frames: number): void {
  requestAnimationFrame(() => {
    if (document.getElementById(SEARCH_ID) !== null) focusSearch();
    else if (frames > 0) focusOnceShown(frames - 1);
  });
}

export function focusSearch(): void {
  const box = document.getElementById(SEARCH_ID);
  if (!(box instanceof HTMLInputElement)) return;
  box.focus();
  box.select();
}
