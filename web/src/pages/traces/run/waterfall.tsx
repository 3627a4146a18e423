/**
 * The tree and the waterfall as one: a row for every step, its name on the left, its time on the right. Only
 * the rows in sight are in the document, so that ten thousand steps scroll as well as ten.
 */

import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { type KeyboardEvent, type MouseEvent, type ReactNode, useEffect, useId, useRef } from "react";

import { traceStrings } from "../../../strings-traces";
import { useMediaQuery } from "../../../ui/media";
import { showTime } from "../amounts";
import { nameOf } from "./names";
import type { Timeline } from "./timeline";
import type { Tree } from "./tree";
import { startingWith, type Wanted, wantedBy } from "./tree-keys";
import { GRID, TreeRow } from "./tree-row";

const text = traceStrings.tree;
const OVERSCAN = 8;
const ROW = { wide: 44, narrow: 60 };
/** Letters that come within this time belong together. */
const TYPING_MS = 700;

interface WaterfallProps {
  tree: Tree;
  /** The nodes that are seen, from top to bottom. */
  seen: readonly number[];
  open: ReadonlySet<string>;
  /** The chosen one. */
  at: number;
  timeline: Timeline;
  onWanted: (wanted: Wanted) => void;
  onZoom: () => void;
}

export function Waterfall({ tree, seen, open, at, timeline, onWanted, onZoom }: WaterfallProps): ReactNode {
  const id = useId();
  const box = useRef<HTMLDivElement | null>(null);
  const height = useMediaQuery("(min-width: 40rem)") ? ROW.wide : ROW.narrow;
  const row = seen.indexOf(at);
  // The rows change while this component does not: React must not take them for the same.
  // eslint-disable-next-line react-hooks/incompatible-library
  const rows = useVirtualizer({
    count: seen.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    getItemKey: (place) => tree.nodes[seen[place] ?? 0]?.id ?? place,
    // The chosen row stays in the document: it is the one that has the focus.
    rangeExtractor: (range) => {
      const inSight = defaultRangeExtractor(range);
      return row < 0 || inSight.includes(row) ? inSight : [...inSight, row].sort((a, b) => a - b);
    },
  });
  useEffect(() => {
    rows.measure();
  }, [rows, height]);
  useEffect(() => {
    if (row >= 0) rows.scrollToIndex(row, { align: "auto" });
  }, [rows, row]);
  const typed = useRef({ letters: "", at: -TYPING_MS });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const wanted = wantedBy(event.key, { tree, seen, open, at });
    const isTyping = event.timeStamp - typed.current.at < TYPING_MS;
    if (wanted !== null) onWanted(wanted);
    else if (event.key.toLowerCase() === "z" && !isTyping) onZoom();
    else if (event.key === "Enter" || (event.key === " " && !isTyping)) toggle(at);
    else if (event.key.length === 1) jumpTo(event, isTyping);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const jumpTo = (event: KeyboardEvent, isTyping: boolean): void => {
    typed.current = { letters: (isTyping ? typed.current.letters : "") + event.key, at: event.timeStamp };
    const to = startingWith(typed.current.letters, { tree, seen, at }, nameOf);
    if (to !== null) onWanted({ to });
  };
  const toggle = (place: number): void => {
    const node = tree.nodes[place];
    if (node === undefined || node.children.length === 0) return;
    onWanted(open.has(node.id) ? { close: node.id } : { open: [node.id] });
  };
  const onClick = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null;
    const found = target?.closest<HTMLElement>("[data-place]");
    if (found === null || found === undefined) return;
    const place = Number(found.dataset.place);
    onWanted({ to: place });
    if (target?.closest("[data-toggle]") !== null) toggle(place);
  };
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-card has-[[role=tree]:focus-visible]:outline-3 has-[[role=tree]:focus-visible]:outline-offset-2 has-[[role=tree]:focus-visible]:outline-(--focus)">
      <Head timeline={timeline} />
      <div
        ref={box}
        role="tree"
        tabIndex={0}
        aria-label={text.name}
        aria-describedby={`${id}-hint`}
        aria-activedescendant={row >= 0 ? `${id}-${at}` : undefined}
        onKeyDown={onKeyDown}
        onClick={onClick}
        className="max-h-[min(34rem,60vh)] min-h-44 overflow-x-hidden overflow-y-auto overscroll-contain outline-none"
      >
        <div role="none" className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const place = seen[index] ?? 0;
            return (
              <TreeRow
                key={place}
                id={`${id}-${place}`}
                place={place}
                tree={tree}
                isOpen={open.has(tree.nodes[place]?.id ?? "")}
                isChosen={place === at}
                timeline={timeline}
                top={start}
                height={height}
              />
            );
          })}
        </div>
      </div>
      <p id={`${id}-hint`} data-unprinted className="border-t border-line px-3 py-2 text-base text-ink-soft max-sm:sr-only">
        {text.hint}
      </p>
    </div>
  );
}

function Head({ timeline }: { timeline: Timeline }): ReactNode {
  const { columns } = text;
  return (
    <div aria-hidden className={`${GRID} border-b border-edge py-2 pr-4 pl-3 text-base font-semibold max-sm:hidden`}>
      <span>{columns.name}</span>
      <span className="flex justify-between font-normal text-ink-soft tabular-nums">
        <span>0</span>
        <span>{showTime(timeline.length)}</span>
      </span>
      <span className="text-right">{columns.took}</span>
      <span className="text-right max-lg:hidden">{columns.tokens}</span>
      <span className="text-right max-lg:hidden">{columns.cost}</span>
    </div>
  );
}
