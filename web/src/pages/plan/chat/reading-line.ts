/** What lies where on the page, for who keeps the place of a reader. */

/** Deeper than this no paragraph lies. */
const MOST_DEPTH = 8;

/** A part of the page, and how far below the top of what can be seen it lies. */
export interface Anchor {
  element: Element;
  offset: number;
  row: number;
  rowOffset: number;
  /** The words it begins with: when it is drawn anew, it is known by them. */
  words: string;
}

const MOST_WORDS = 80;

/** What lies at a line: the row there, and in it the smallest part that reaches below the line. */
export function anchorAt(content: HTMLElement, line: number, height: number): Anchor | null {
  const reaches = (each: Element): boolean => {
    const box = each.getBoundingClientRect();
    // What is only there for screen readers is a dot, and lies elsewhere.
    return box.height > 2 && box.width > 2 && box.bottom > line;
  };
  const offsetOf = (each: Element): number => each.getBoundingClientRect().top - line;
  const row = [...content.querySelectorAll<HTMLElement>("[data-row]")].find(reaches);
  if (row === undefined || offsetOf(row) > height) return null;
  let element: Element = row;
  for (let depth = 0; depth < MOST_DEPTH && offsetOf(element) < 0; depth += 1) {
    const inner = [...element.children].find(reaches);
    if (inner === undefined) break;
    element = inner;
  }
  const words = element.textContent.slice(0, MOST_WORDS);
  return { element, offset: offsetOf(element), row: Number(row.dataset.row), rowOffset: offsetOf(row), words };
}

/** The same part again, after what was written has become what was said. */
export function drawnAnew({ element, words }: Anchor, row: Element): Element | null {
  if (words === "") return null;
  return [...row.getElementsByTagName(element.tagName)].find((each) => each.textContent.startsWith(words)) ?? null;
}

/** Where the window itself scrolls, this much of it lies under the bars at its top and at its bottom. */
const BARS = { top: 112, bottom: 72 };

export interface Bounds {
  top: number;
  bottom: number;
}

/** Between which lines of the window something can be seen. */
export function boundsOf(pane: HTMLElement | null): Bounds {
  if (pane !== null && scrolls(pane)) return pane.getBoundingClientRect();
  const search = document.querySelector("[data-find-bar]")?.getBoundingClientRect();
  return { top: Math.max(BARS.top, search?.bottom ?? 0), bottom: window.innerHeight - BARS.bottom };
}

/** The pane where it scrolls by itself, else the window. */
export function scrollerOf(pane: HTMLElement | null): Element {
  return pane !== null && scrolls(pane) ? pane : (document.scrollingElement ?? document.documentElement);
}

function scrolls(pane: HTMLElement): boolean {
  return /auto|scroll/.test(getComputedStyle(pane).overflowY);
}

/** A pane that is not shown has no height, and no reader. */
export function isShown(element: Element): boolean {
  return element.getClientRects().length > 0;
}

export function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: Element): number {
  return scrollHeight - scrollTop - clientHeight;
}
