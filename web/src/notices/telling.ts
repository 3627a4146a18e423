/** What is said about what waits: once how much there is, then what comes. */

import { noticeStrings as text } from "../strings-notices";
import type { Notice } from "../wire/generated";

export interface Told {
  /** The ids that were spoken of; nothing before the first look. */
  known: ReadonlySet<string> | null;
  /** For screen readers. */
  said: string;
  /** What came since the page was opened, for the browser to show. */
  fresh: readonly Notice[];
}

export const NOTHING_TOLD: Told = { known: null, said: "", fresh: [] };

/** The next thing to say; the same value when there is nothing new. */
export function hear(told: Told, unseen: readonly Notice[]): Told {
  const { known } = told;
  const fresh = unseen.filter(({ id }) => known?.has(id) !== true);
  if (known !== null && fresh.length === 0) return told;
  return {
    known: new Set([...(known ?? []), ...fresh.map(({ id }) => id)]),
    said: sentence(fresh, known === null),
    fresh: known === null ? [] : fresh,
  };
}

function sentence(fresh: readonly Notice[], isFirst: boolean): string {
  const [one, ...others] = fresh;
  if (one === undefined) return "";
  if (isFirst || others.length > 0) return text.atFirst(fresh.length);
  const { title, what } = saidOf(one);
  return text.fresh(title, what);
}

/** What something is about, and what it wants. */
export function saidOf({ kind, title, detail, count }: Notice): { title: string; what: string } {
  const what = kind === "reviews" ? text.reviews(count) : text.kinds[kind];
  return { title: title || text.untitled, what: detail === "" ? what : `${what}. ${detail}` };
}
