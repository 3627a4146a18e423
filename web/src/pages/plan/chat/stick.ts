/** Keeps the end in view while more is written, but only for a reader who is there. */

import { type RefObject, useEffect, useRef, useState } from "react";

import { awaitNothing } from "./focus";

/** So near to the end counts as being there. */
const NEAR_PX = 80;

interface Stick {
  isAtEnd: boolean;
  toEnd: () => void;
}

export function useStick(content: RefObject<HTMLElement | null>, pane: RefObject<HTMLElement | null>): Stick {
  const [isAtEnd, setIsAtEnd] = useState(true);
  const sticks = useRef(true);

  useEffect(() => {
    let before = { top: 0, height: 0 };
    const note = (): void => {
      const scroller = scrollerOf(pane.current);
      const now = { top: scroller.scrollTop, height: scroller.scrollHeight };
      // Upwards, while nothing has become shorter: that was the reader, who is not called back to what comes.
      if (now.top < before.top && now.height === before.height) awaitNothing();
      before = now;
      const isThere = distanceToEnd(scroller) < NEAR_PX;
      sticks.current = isThere;
      setIsAtEnd(isThere);
    };
    const element = pane.current;
    element?.addEventListener("scroll", note);
    window.addEventListener("scroll", note);
    return () => {
      element?.removeEventListener("scroll", note);
      window.removeEventListener("scroll", note);
    };
  }, [pane]);

  useEffect(() => {
    if (content.current === null) return;
    const observer = new ResizeObserver(([entry]) => {
      // A pane that is not shown has no height, and no reader.
      if (entry === undefined || entry.contentRect.height === 0) return;
      if (sticks.current) align(scrollerOf(pane.current), content.current);
    });
    observer.observe(content.current);
    return () => {
      observer.disconnect();
    };
  }, [content, pane]);

  return {
    isAtEnd,
    toEnd: () => {
      const scroller = scrollerOf(pane.current);
      scroller.scrollTo({ top: scroller.scrollHeight });
    },
  };
}

/** The end; of a question that is longer than the window, its beginning. */
function align(scroller: Element, content: HTMLElement | null): void {
  const question = content?.querySelector("[data-open-gate]");
  if (question !== null && question !== undefined && question.clientHeight > scroller.clientHeight * 0.8) {
    question.scrollIntoView({ block: "start" });
  } else {
    scroller.scrollTo({ top: scroller.scrollHeight });
  }
}

/** The pane where it scrolls by itself, else the window. */
function scrollerOf(pane: HTMLElement | null): Element {
  const isOwn = pane !== null && /auto|scroll/.test(getComputedStyle(pane).overflowY);
  return isOwn ? pane : (document.scrollingElement ?? document.documentElement);
}

function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: Element): number {
  return scrollHeight - scrollTop - clientHeight;
}
