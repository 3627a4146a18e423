/**
 * The requests of a session below each other. Of a long session only those in sight are drawn, with some
 * around them, so that two thousand messages are as quick as ten.
 */

import { defaultRangeExtractor, type Range, useVirtualizer, useWindowVirtualizer, type Virtualizer } from "@tanstack/react-virtual";
import { Fragment, type ReactNode, type Ref, useEffect, useLayoutEffect, useRef, useState } from "react";

import { useRoom } from "../../../ui/panes/sizes";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { PlanRun } from "../../../wire/generated";
import type { Runs } from "../hooks";
import { planStrings } from "../strings";
import type { ReadingPlace } from "./reading-place";

const text = planStrings.chat;
/** A session with more requests than this is drawn in parts. */
const LONG = 60;
const USUAL_PX = 420;
const AROUND = 3;

interface RowsProps {
  runs: Runs;
  place: ReadingPlace;
  scroller: () => HTMLElement | null;
  children: (run: PlanRun, isLast: boolean) => ReactNode;
}

export function Rows(props: RowsProps): ReactNode {
  const isNarrow = useRoom() === "narrow";
  const { runs } = props.runs;
  if (runs.length > LONG) return isNarrow ? <RowsInWindow {...props} /> : <RowsInPane {...props} />;
  return (
    <div role="feed" aria-label={text.region}>
      {runs.map((_, at) => (
        <Row key={at} at={at} {...props} />
      ))}
    </div>
  );
}

interface RowProps extends RowsProps {
  at: number;
  ref?: Ref<HTMLElement>;
}

function Row({ at, ref, runs: { runs, want }, children }: RowProps): ReactNode {
  const run = runs[at] ?? null;
  useLayoutEffect(() => {
    if (run === null) want(at);
  }, [run, want, at]);
  const isLast = at === runs.length - 1;
  return (
    <article
      ref={ref}
      data-row={at}
      tabIndex={-1}
      aria-label={run === null ? text.loadingEarlier : run.prompt}
      aria-posinset={at + 1}
      aria-setsize={runs.length}
      className={`flex flex-col gap-5 rounded-md outline-offset-8 ${isLast ? "" : "pb-8"}`}
    >
      {run === null ? (
        <Loading label={text.loadingEarlier}>
          <Skeleton className="ml-auto h-12 w-1/2" />
          <Skeleton className="mt-4 h-80" />
        </Loading>
      ) : (
        children(run, isLast)
      )}
    </article>
  );
}

function RowsInPane(props: RowsProps): ReactNode {
  const [focused, setFocused] = useState<number | null>(null);
  const [margin, setMargin] = useState(0);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing of it is kept from one drawing to the next
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: props.runs.runs.length,
    getScrollElement: props.scroller,
    estimateSize: () => USUAL_PX,
    overscan: AROUND,
    scrollMargin: margin,
    indexAttribute: "data-row",
    rangeExtractor: (range) => inSight(range, focused),
  });
  return <Drawn {...props} virtualizer={virtualizer} onFocused={setFocused} onMargin={setMargin} />;
}

function RowsInWindow(props: RowsProps): ReactNode {
  const [focused, setFocused] = useState<number | null>(null);
  const [margin, setMargin] = useState(0);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: props.runs.runs.length,
    estimateSize: () => USUAL_PX,
    overscan: AROUND,
    scrollMargin: margin,
    indexAttribute: "data-row",
    rangeExtractor: (range) => inSight(range, focused),
  });
  return <Drawn {...props} virtualizer={virtualizer} onFocused={setFocused} onMargin={setMargin} />;
}

interface DrawnProps<Scroller extends Element | Window> extends RowsProps {
  virtualizer: Virtualizer<Scroller, HTMLElement>;
  onFocused: (row: number | null) => void;
  onMargin: (px: number) => void;
}

function Drawn<Scroller extends Element | Window>({ virtualizer, onFocused, onMargin, ...props }: DrawnProps<Scroller>): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const { place, scroller } = props;
  useLayoutEffect(() => {
    onMargin(marginOf(list.current, scroller()));
    return takeOver(virtualizer, place);
  }, [virtualizer, place, scroller, onMargin]);
  // After every drawing, before it is seen: rows are rarely as high as was thought.
  useLayoutEffect(() => {
    place.settle();
  });
  useEffect(() => (list.current === null ? undefined : watchFocus(list.current, onFocused)), [onFocused]);
  const items = virtualizer.getVirtualItems();
  const end = virtualizer.options.scrollMargin + virtualizer.getTotalSize();
  return (
    <div ref={list} role="feed" aria-label={text.region}>
      {items.map(({ key, index, start }, at) => (
        <Fragment key={key}>
          <div aria-hidden style={{ height: start - (items[at - 1]?.end ?? virtualizer.options.scrollMargin) }} />
          <Row at={index} ref={virtualizer.measureElement} {...props} />
        </Fragment>
      ))}
      <div aria-hidden style={{ height: end - (items.at(-1)?.end ?? 0) }} />
    </div>
  );
}

/** How far below the top of what scrolls the list begins. */
function marginOf(list: HTMLElement | null, scroller: HTMLElement | null): number {
  if (list === null) return 0;
  const top = list.getBoundingClientRect().top;
  const isOwn = scroller !== null && /auto|scroll/.test(getComputedStyle(scroller).overflowY);
  return isOwn ? top - scroller.getBoundingClientRect().top + scroller.scrollTop : top + window.scrollY;
}

// Which rows of a long list are drawn, and who decides where they lie.

/** Those in sight and around it; always the one with the focus, and the last one, where things happen. */
function inSight(range: Range, focused: number | null): number[] {
  const drawn = new Set(defaultRangeExtractor(range));
  drawn.add(range.count - 1);
  if (focused !== null && focused < range.count) drawn.add(focused);
  return [...drawn].sort((one, other) => one - other);
}

/** The place of the reader is kept by who knows it, down to the line: the list itself moves nothing. */
function takeOver<Scroller extends Element | Window>(
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
function watchFocus(list: HTMLElement, onFocused: (row: number | null) => void): () => void {
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
