/**
 * Keeps the place where somebody reads. Who is at the end stays there while more is written. Who reads
 * above is left alone: whatever grows, shrinks or arrives around it, the line they read does not move.
 */

import { createContext, type RefObject, useContext, useEffect, useRef, useState } from "react";

import type { PlanPlace } from "../../../wire/generated";
import { awaitNothing } from "./focus";

/** So near to the end one sees the newest. */
const NEAR_PX = 80;
/** So near to the end one follows it again. */
const STICK_PX = 24;
/** What makes room for itself when it is clicked: it stays where it is then. */
const GROWS = "summary, [data-grows]";

export class ReadingPlace {
  /** Where a row lies that is not drawn; null where all rows are. */
  locate: ((row: number) => number) | null = null;
  private pane: HTMLElement | null = null;
  private content: HTMLElement | null = null;
  private sticks = true;
  private anchor: Anchor | null = null;
  /** The row that is wanted, and how far below the top, until it is drawn. */
  private target: { row: number; offset: number } | null = null;
  private before = { top: 0, height: 0 };
  /** Where this has put the window, for the end or for a line: a scroll to there was no reader's. */
  private placed: number | null = null;
  private moved: number | null = null;

  constructor(private readonly onEnd: (isAtEnd: boolean) => void) {}

  attach(pane: HTMLElement, content: HTMLElement): () => void {
    this.pane = pane;
    this.content = content;
    const observer = new ResizeObserver(() => {
      this.settle();
    });
    observer.observe(pane);
    observer.observe(content);
    // Before the rows are drawn anew: what is read must be known as it lay.
    pane.addEventListener("scroll", this.note, { capture: true });
    document.addEventListener("scroll", this.noteWindow);
    pane.addEventListener("wheel", this.noteWheel, { passive: true });
    content.addEventListener("click", this.noteClick, { capture: true });
    return () => {
      observer.disconnect();
      pane.removeEventListener("scroll", this.note, { capture: true });
      document.removeEventListener("scroll", this.noteWindow);
      pane.removeEventListener("wheel", this.noteWheel);
      content.removeEventListener("click", this.noteClick, { capture: true });
    };
  }

  /** Puts everything back after something has changed its size. */
  settle(): void {
    const { content } = this;
    if (content === null || !isShown(content)) return;
    if (this.target !== null) this.reach(this.target.row, this.target.offset);
    else if (this.sticks) this.align(content);
    else if (this.anchor !== null) this.restore(this.anchor);
    this.tellEnd();
  }

  toEnd(): void {
    this.sticks = true;
    this.target = null;
    this.settle();
  }

  /** Brings a row to the top, or so far below it. */
  showRow(row: number, offset = 24): void {
    this.sticks = false;
    this.anchor = null;
    this.target = { row, offset };
    const place = this.rowElement(row) === null ? this.locate?.(row) : undefined;
    if (place !== undefined) this.scroller().scrollTop = place - offset;
    this.settle();
  }

  /** Brings a part of the text into sight, unless it is. */
  showBox(box: DOMRect): void {
    const { top, bottom } = this.bounds();
    if (box.top >= top + 8 && box.bottom <= bottom - 8) return;
    this.sticks = false;
    this.target = null;
    this.move(box.top - (top + (bottom - top) / 3));
    this.anchor = this.find();
    this.tellEnd();
  }

  /** The row at the top of what can be seen. */
  readonly firstRow = (): number => this.find()?.row ?? 0;

  rowElement(row: number): HTMLElement | null {
    return this.content?.querySelector<HTMLElement>(`[data-row="${row}"]`) ?? null;
  }

  /** How far below the top of what can be seen an element lies. */
  offsetOf(element: Element): number {
    return element.getBoundingClientRect().top - this.bounds().top;
  }

  private readonly note = (): void => {
    if (this.content === null || !isShown(this.content)) return;
    const scroller = this.scroller();
    const now = { top: scroller.scrollTop, height: scroller.scrollHeight };
    if (now.top === this.before.top && now.height === this.before.height) return;
    const isUp = now.top < this.before.top && now.height === this.before.height;
    // Upwards, not put there by this nor by a text that became shorter: the reader, who is not called back.
    const isCut = now.height < this.before.height && distanceToEnd(scroller) < 1;
    if (now.top < this.before.top && !this.wasPut(now.top) && !isCut) awaitNothing();
    this.before = now;
    this.moved = null;
    if (this.target !== null) return;
    // The end may have moved on since this has put the window there: nobody has left it.
    if (!(this.sticks && this.placed !== null && Math.abs(now.top - this.placed) < 2)) {
      const distance = distanceToEnd(scroller);
      if (isUp || distance >= NEAR_PX) this.sticks = distance < 1;
      else if (distance < STICK_PX) this.sticks = true;
      this.placed = null;
    }
    this.anchor = this.sticks ? null : this.find();
    this.tellEnd();
  };

  private readonly noteWindow = ({ target }: Event): void => {
    if (target === document) this.note();
  };

  private readonly noteWheel = ({ deltaY }: WheelEvent): void => {
    this.target = null;
    if (deltaY >= 0) return;
    awaitNothing();
    if (this.sticks && this.scroller().scrollTop > 0) this.letGo();
  };

  private readonly noteClick = ({ target }: Event): void => {
    if (target instanceof Element && target.closest(GROWS) !== null) this.letGo();
  };

  /** The end is not followed any more; what is in sight stays there. */
  private letGo(): void {
    this.sticks = false;
    this.anchor = this.find();
  }

  private tellEnd(): void {
    const question = this.content?.querySelector("[data-open-gate]")?.getBoundingClientRect();
    const { top, bottom } = this.bounds();
    const isAsked = question !== undefined && question.top < bottom - NEAR_PX && question.bottom > top;
    this.onEnd(this.sticks || isAsked || distanceToEnd(this.scroller()) < NEAR_PX);
  }

  /** The end; of a question that is longer than the window, its beginning. */
  private align(content: HTMLElement): void {
    const scroller = this.scroller();
    const question = content.querySelector("[data-open-gate]");
    if (question !== null && question.clientHeight > scroller.clientHeight * 0.8) {
      question.scrollIntoView({ block: "start" });
      this.moved = scroller.scrollTop;
      this.letGo();
      return;
    }
    scroller.scrollTo({ top: scroller.scrollHeight });
    this.placed = scroller.scrollTop;
  }

  private reach(row: number, offset: number): void {
    const element = this.rowElement(row);
    if (element === null) return;
    this.move(this.offsetOf(element) - offset);
    const now = this.offsetOf(element);
    this.target = null;
    this.anchor = { element, offset: now, row, rowOffset: now, words: "" };
  }

  private restore(anchor: Anchor): void {
    const row = this.rowElement(anchor.row);
    const isThere = anchor.element.isConnected && isShown(anchor.element);
    const element = isThere ? anchor.element : row && drawnAnew(anchor, row);
    if (element !== null) this.move(this.offsetOf(element) - anchor.offset);
    else if (row !== null) this.move(this.offsetOf(row) - anchor.rowOffset);
  }

  private move(by: number): void {
    if (Math.abs(by) < 1) return;
    this.scroller().scrollTop += by;
    this.moved = this.scroller().scrollTop;
  }

  private readonly wasPut = (top: number): boolean =>
    [this.placed, this.moved].some((put) => put !== null && Math.abs(top - put) < 2);

  private find(): Anchor | null {
    return this.content === null ? null : anchorAt(this.content, this.bounds().top, this.scroller().clientHeight);
  }

  private readonly bounds = (): Bounds => boundsOf(this.pane);
  private readonly scroller = (): Element => scrollerOf(this.pane);
}

// What lies where on the page, for who keeps the place of a reader.

/** Deeper than this no paragraph lies. */
const MOST_DEPTH = 8;

/** A part of the page, and how far below the top of what can be seen it lies. */
interface Anchor {
  element: Element;
  offset: number;
  row: number;
  rowOffset: number;
  /** The words it begins with: when it is drawn anew, it is known by them. */
  words: string;
}

const MOST_WORDS = 80;

/** What lies at a line: the row there, and in it the smallest part that reaches below the line. */
function anchorAt(content: HTMLElement, line: number, height: number): Anchor | null {
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
function drawnAnew({ element, words }: Anchor, row: Element): Element | null {
  if (words === "") return null;
  return [...row.getElementsByTagName(element.tagName)].find((each) => each.textContent.startsWith(words)) ?? null;
}

/** Where the window itself scrolls, this much of it lies under the bars at its top and at its bottom. */
const BARS = { top: 112, bottom: 72 };

interface Bounds {
  top: number;
  bottom: number;
}

/** Between which lines of the window something can be seen. */
function boundsOf(pane: HTMLElement | null): Bounds {
  if (pane !== null && scrolls(pane)) return pane.getBoundingClientRect();
  const search = document.querySelector("[data-find-bar]")?.getBoundingClientRect();
  return { top: Math.max(BARS.top, search?.bottom ?? 0), bottom: window.innerHeight - BARS.bottom };
}

/** The pane where it scrolls by itself, else the window. */
function scrollerOf(pane: HTMLElement | null): Element {
  return pane !== null && scrolls(pane) ? pane : (document.scrollingElement ?? document.documentElement);
}

function scrolls(pane: HTMLElement): boolean {
  return /auto|scroll/.test(getComputedStyle(pane).overflowY);
}

/** A pane that is not shown has no height, and no reader. */
function isShown(element: Element): boolean {
  return element.getClientRects().length > 0;
}

function distanceToEnd({ scrollHeight, scrollTop, clientHeight }: Element): number {
  return scrollHeight - scrollTop - clientHeight;
}

// The place of a reader in a conversation, as a React hook.

interface Reading {
  pane: RefObject<HTMLDivElement | null>;
  content: RefObject<HTMLDivElement | null>;
  place: ReadingPlace;
  isAtEnd: boolean;
  /** Whether something came below while somebody read above. */
  hasNews: boolean;
}

/** `newest` changes with everything that is new at the end. */
export function useReading(newest: string): Reading {
  const pane = useRef<HTMLDivElement>(null);
  const content = useRef<HTMLDivElement>(null);
  const [isAtEnd, setIsAtEnd] = useState(true);
  const [place] = useState(() => new ReadingPlace(setIsAtEnd));
  const [seen, setSeen] = useState(newest);
  if (isAtEnd && seen !== newest) setSeen(newest);
  useEffect(() => {
    if (pane.current === null || content.current === null) return;
    return place.attach(pane.current, content.current);
  }, [place]);
  return { pane, content, place, isAtEnd, hasNews: !isAtEnd && seen !== newest };
}

// What everything in a conversation may ask about it.

interface Conversing {
  /** The session that is read. */
  session: string;
  place: ReadingPlace;
  /** What was said instead of each other, under the id of each run. */
  branches: Readonly<Record<string, PlanPlace[] | undefined>>;
}

const nowhere: Conversing = { session: "", place: new ReadingPlace(() => undefined), branches: {} };

export const ConversingContext = createContext(nowhere);

export function useConversing(): Conversing {
  return useContext(ConversingContext);
}
