/** The pages and commands that fit what was typed, the best first. */

import { defaultFilter } from "cmdk";

import type { PaletteGroup } from "./actions";

export function narrowed(groups: readonly PaletteGroup[], typed: string): PaletteGroup[] {
  const asked = typed.trim();
  if (asked === "") return [...groups];
  const scored = groups.map(({ heading, actions }) => {
    const rows = actions
      .map((action) => ({ action, score: defaultFilter(action.label, asked, [...(action.keywords ?? [])]) }))
      .filter(({ score }) => score > LEAST)
      .sort((one, other) => other.score - one.score);
    return { heading, actions: rows.map(({ action }) => action), best: rows[0]?.score ?? 0 };
  });
  return scored.filter(({ best }) => best > 0).sort((one, other) => other.best - one.best);
}

/** Letters that only happen to stand in the same order are no match. */
const LEAST = 0.02;
