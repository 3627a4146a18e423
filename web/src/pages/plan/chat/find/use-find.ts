/** The search in a session: what was found, which of it is looked at, and the way there. */

import { type RefObject, useDeferredValue, useEffect, useMemo, useState } from "react";

import type { Runs } from "../../runs";
import type { ReadingPlace } from "../reading-place";
import { findIn, firstHit, type Found, type Hit, isSame, NOTHING } from "./find";
import { useFindBox } from "./find-box";
import { mark, rangesIn, unmark } from "./marks";

/** Rows are drawn within a few frames, pages of them a little later. */
const MOST_FRAMES = 240;

interface Chosen {
  words: string;
  hit: Hit | null;
  from: number;
}

interface Search {
  found: Found;
  /** The place of the hit that is looked at; -1 when there is none. */
  at: number;
  step: (by: 1 | -1) => void;
}

export function useFind(session: string, { runs, isWhole, wantAll }: Runs, place: ReadingPlace, content: RefObject<HTMLElement | null>): Search {
  const isOpen = useFindBox((box) => box.session === session);
  const words = useDeferredValue(useFindBox((box) => box.words.trim()));
  const found = useMemo(() => (isOpen ? findIn(runs, words) : NOTHING), [runs, words, isOpen]);
  const [chosen, setChosen] = useState<Chosen>({ words: "", hit: null, from: 0 });
  if (chosen.words !== words) {
    // While words are being typed, each is looked for from where one was.
    const from = chosen.words === "" ? place.firstRow() : chosen.from;
    setChosen({ words, hit: firstHit(found.hits, from), from });
  }
  const known = found.hits.findIndex((hit) => isSame(chosen.hit, hit));
  // What lies above may not have been read yet: then the nearest is not known either.
  const at = known >= 0 || !isWhole ? known : found.hits.length - 1;
  const hit = found.hits[at] ?? null;

  useEffect(() => {
    if (isOpen) wantAll();
  }, [isOpen, wantAll]);

  const { row, part, nth } = hit ?? { row: -1, part: "", nth: 0 };
  const { pattern } = found;
  useEffect(() => {
    if (pattern === null) return;
    let range: Range | null = null;
    const paint = (): void => {
      if (content.current !== null) mark(content.current, pattern, range);
    };
    const stopShowing = row < 0 ? null : show(place, { row, part, nth }, pattern, (shown) => {
      range = shown;
      paint();
    });
    paint();
    const observer = new MutationObserver(paint);
    if (content.current !== null) observer.observe(content.current, { childList: true, subtree: true, characterData: true });
    return () => {
      stopShowing?.();
      observer.disconnect();
      unmark();
    };
  }, [place, content, pattern, row, part, nth]);

  return {
    found,
    at,
    step: (by) => {
      const { length } = found.hits;
      const next = length === 0 ? undefined : found.hits[(Math.max(at, 0) + by + length) % length];
      if (next !== undefined) setChosen({ words, hit: next, from: next.row });
    },
  };
}

/** Brings a hit into sight as soon as it is drawn, and opens what hides it. */
function show(place: ReadingPlace, hit: Hit, pattern: RegExp, done: (range: Range | null) => void): () => void {
  let frame = 0;
  const look = (left: number): void => {
    const row = place.rowElement(hit.row);
    const part = row?.querySelector(`[data-part="${CSS.escape(hit.part)}"]`) ?? null;
    if (part === null) {
      if (row === null) place.showRow(hit.row);
      if (left > 0) frame = requestAnimationFrame(() => { look(left - 1); });
      return;
    }
    for (let fold = part.closest("details"); fold !== null; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
    const ranges = rangesIn(part, pattern);
    const range = ranges[Math.min(hit.nth, ranges.length - 1)] ?? null;
    place.showBox((range ?? part).getBoundingClientRect());
    done(range);
  };
  look(MOST_FRAMES);
  return () => {
    cancelAnimationFrame(frame);
  };
}
