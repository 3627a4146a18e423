/** Marks found words on the page without changing it, where the browser can do that. */

const FOUND = "paige-found";
const NOW = "paige-found-now";

/** Where a pattern stands in what an element shows. */
export function rangesIn(element: Element, pattern: RegExp): Range[] {
  const nodes: { node: Text; start: number }[] = [];
  let words = "";
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() !== null) {
    const node = walker.currentNode as Text;
    nodes.push({ node, start: words.length });
    words += node.data;
  }
  const at = (place: number): [Text, number] | null => {
    const found = nodes.findLast(({ start }) => start <= place);
    return found === undefined ? null : [found.node, place - found.start];
  };
  return Array.from(words.matchAll(pattern)).flatMap(({ index, 0: match }) => {
    const start = at(index);
    const last = at(index + match.length - 1);
    if (start === null || last === null) return [];
    const range = document.createRange();
    range.setStart(...start);
    range.setEnd(last[0], last[1] + 1);
    return [range];
  });
}

/** Marks every place in what is drawn, and the one that is looked at. */
export function mark(content: Element, pattern: RegExp, now: Range | null): void {
  if (!canMark()) return;
  const ranges = [...content.querySelectorAll("[data-part]")].flatMap((part) => rangesIn(part, pattern));
  CSS.highlights.set(FOUND, new Highlight(...ranges));
  if (now === null) CSS.highlights.delete(NOW);
  else CSS.highlights.set(NOW, new Highlight(now));
}

export function unmark(): void {
  if (!canMark()) return;
  CSS.highlights.delete(FOUND);
  CSS.highlights.delete(NOW);
}

function canMark(): boolean {
  return typeof Highlight !== "undefined" && "highlights" in CSS;
}
