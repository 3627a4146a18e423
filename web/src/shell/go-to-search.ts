/** Leads to a search: that of the page if it has one, else the one over everything. */

import { navigate } from "wouter/use-browser-location";

import { SEARCH_PATH } from "../routes";

export const SEARCH_ID = "search-everything";
/** How a page says that its box is the one the slash leads to. */
const OWN_SEARCH = 'main [aria-keyshortcuts~="/"]';

export function goToSearch(): void {
  const own = document.querySelector(OWN_SEARCH);
  if (own !== null) focusWhole(own);
  else searchEverything();
}

export function searchEverything(words = ""): void {
  navigate(words === "" ? SEARCH_PATH : `${SEARCH_PATH}?${new URLSearchParams({ q: words }).toString()}`);
  focusOnceShown(SEARCH_ID);
}

// Puts the focus on something that may be on its way still.

/** About five seconds. */
const MOST_FRAMES = 300;

/** Focuses the element once it is drawn, and after a dialog that leads there has given the focus back. */
export function focusOnceShown(id: string): void {
  requestAnimationFrame(() => {
    look(id, MOST_FRAMES);
  });
}

function look(id: string, frames: number): void {
  requestAnimationFrame(() => {
    const found = document.getElementById(id);
    if (found !== null) focusWhole(found);
    else if (frames > 0) look(id, frames - 1);
  });
}

/** Focuses an element, and selects what is written in it. */
export function focusWhole(element: Element): void {
  if (!(element instanceof HTMLElement)) return;
  element.focus();
  if (element instanceof HTMLInputElement) element.select();
}
