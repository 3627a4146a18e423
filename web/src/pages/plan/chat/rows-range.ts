/** Which rows of a long list are drawn, and who decides where they lie. */

import { defaultRangeExtractor, type Range, type Virtualizer } from "@tanstack/react-virtual";

import type { ReadingPlace } from "./reading-place";

/** Those in sight and around it; always the one with the focus, and the last one, where things happen. */
export function inSight(range: Range, focused: number | null): number[] {
  const drawn = new Set(defaultRangeExtractor(range));
  drawn.add(range.count - 1);
  if (focused !== null && focused < range.count) drawn.add(focused);
  return [...drawn].sort((one, other) => one - other);
}

/** The place of the reader is kept by who knows it, down to the line: the list itself moves nothing. */
export function takeOver<Scroller extends Element | Window>(
  virtualizer: Virtualizer<Scroller, HTMLElement>,
  place: ReadingPlace,
): () => void {
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  place.locate = (row) => virtualizer.getOffsetForIndex(row, "start")?.[0] ?? 0;
  return () => {
    place.locate = null;
  };
}

/** Tells which row has the focus. */
export function watchFocus(list: HTMLElement, onFocused: (row: number | null) => void): () => void {
  const note = ({ target }: FocusEvent): void => {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]")?.dataset.row : undefined;
    onFocused(row === undefined ? null : Number(row));
  };
  const drop = (): void => {
    onFocused(null);
  };
  list.addEventListener("focusin", note);
  list.addEventListener("focusout", drop);
  return () => {
    list.removeEventListener("focusin", note);
    list.removeEventListener("focusout", drop);
  };
}
