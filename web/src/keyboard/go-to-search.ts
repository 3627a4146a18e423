/** Leads to a search: that of the page if it has one, else the one over everything. */

import { navigate } from "wouter/use-browser-location";

import { SEARCH_PATH } from "../routes";
import { focusOnceShown, focusWhole } from "./focus-once-shown";

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
