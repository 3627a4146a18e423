/** Arrow keys lead from the box through what was found, and back. */

import type { KeyboardEvent } from "react";

import { SEARCH_ID } from "../keyboard/go-to-search";
import { focusWhole } from "../keyboard/focus-once-shown";

/** What a hit is marked with, so that it is found again. */
export const HIT = { "data-hit": "" };

export function moveAmongHits(event: KeyboardEvent<HTMLElement>): void {
  if (event.key !== "ArrowDown" && event.key !== "ArrowUp") return;
  const target = event.target;
  if (!(target instanceof HTMLElement) || (target.id !== SEARCH_ID && !target.matches("[data-hit]"))) return;
  const hits = [...event.currentTarget.querySelectorAll<HTMLElement>("[data-hit]")];
  const next = hits.indexOf(target) + (event.key === "ArrowDown" ? 1 : -1);
  event.preventDefault();
  const box = document.getElementById(SEARCH_ID);
  if (next >= 0) hits[next]?.focus();
  else if (box !== null && target !== box) focusWhole(box);
}
