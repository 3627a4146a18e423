/** Which rows of a long list are drawn: those one sees, and some around them. */

import { type RefObject, useEffect, useState } from "react";

const AROUND = 8;

export interface Stretch {
  first: number;
  /** The one after the last. */
  end: number;
}

export function stretchOf(top: number, height: number, rowHeight: number, count: number): Stretch {
  const first = Math.max(0, Math.floor(top / rowHeight) - AROUND);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + AROUND);
  return { first: Math.min(first, Math.max(0, count - 1)), end };
}

/** The rows to draw in an element that scrolls. */
export function useStretch(scroller: RefObject<HTMLElement | null>, rowHeight: number, count: number): Stretch {
  const [{ top, height }, setPlace] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const note = (): void => {
      setPlace((before) => {
        const now = { top: element.scrollTop, height: element.clientHeight };
        return before.top === now.top && before.height === now.height ? before : now;
      });
    };
    const observer = new ResizeObserver(note);
    observer.observe(element);
    element.addEventListener("scroll", note, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", note);
    };
  }, [scroller]);
  return stretchOf(top, height === 0 ? 600 : height, rowHeight, count);
}
