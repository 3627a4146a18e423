/** Leads to the search box of the memory, from wherever one is. */

import { navigate } from "wouter/use-browser-location";

import { MEMORY_ROUTE } from "../../routes";
import { focusOnceShown, focusWhole } from "../../shell/go-to-search";

export const SEARCH_ID = "memory-search";

export function goToMemorySearch(): void {
  if (document.getElementById(SEARCH_ID) === null) navigate(MEMORY_ROUTE.path);
  focusOnceShown(SEARCH_ID);
}

export function focusSearch(): void {
  const box = document.getElementById(SEARCH_ID);
  if (box !== null) focusWhole(box);
}
