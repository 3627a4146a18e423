/**
 * The drawing of what stands around a trace. Only what is in sight is drawn, so that thousands of things stay
 * smooth; one of them is in the Tab order, and the arrow keys go from there to the next.
 */

import { clsx } from "clsx";
import { type KeyboardEvent, memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";

import { graphStrings } from "../../../strings-guard-graph";
import type { GraphAround, GraphNode } from "../../../wire/generated";
import { type AroundLayout, type Frame, layOutAround, type Place, towards } from "./around-layout";
import type { Line } from "./around-lines";
import { NodeIcon, wordOf } from "./marks";

const text = graphStrings.around;
const MOST_HEIGHT = 520;
const BEYOND = 260;
const PADDING = 6;

interface AroundMapProps {
  around: GraphAround;
  width: number;
  /** Opens a thing: another trace, or the traces of an agent, a rule or a file. */
  onOpen: (node: GraphNode) => void;
}

export function AroundMap({ around, width, onOpen }: AroundMapProps): ReactNode {
  const layout = useMemo(() => layOutAround(around, width - 2 * PADDING), [around, width]);
  const root = around.nodes.find(({ distance }) => distance === 0)?.key ?? null;
  const box = useRef<HTMLDivElement>(null);
  const [top, setTop] = useState(0);
  const [chosen, setChosen] = useState<string | null>(root);
  const active = chosen !== null && layout.places.has(chosen) ? chosen : root;
  const shouldFocus = useRef(false);
  useEffect(() => {
    const root = [...layout.places.values()].find(({ node }) => node.distance === 0);
    if (box.current !== null && root !== undefined) box.current.scrollLeft = root.x + root.width / 2 - box.current.clientWidth / 2;
  }, [layout]);
  useEffect(() => {
    if (!shouldFocus.current || active === null) return;
    shouldFocus.current = false;
    box.current?.querySelector<HTMLElement>(`[data-node="${CSS.escape(active)}"]`)?.focus({ preventScroll: true });
  }, [active]);
  const follow = (event: KeyboardEvent): void => {
    const to = active === null ? null : towards(event.key, active, layout);
    const place = to === null ? undefined : layout.places.get(to);
    if (place === undefined) return;
    event.preventDefault();
    shouldFocus.current = true;
    bringIntoSight(box.current, place);
    setTop(box.current?.scrollTop ?? 0);
    setChosen(to);
  };
  const choose = useCallback((key: string) => {
    setChosen(key);
  }, []);
  const height = Math.min(layout.height + 2 * PADDING, MOST_HEIGHT);
  return (
    <div
      ref={box}
      role="group"
      aria-label={text.name}
      data-around
      className="relative overflow-auto rounded-lg border border-line bg-card"
      style={{ height: height + 2 }}
      onScroll={(event) => {
        setTop(event.currentTarget.scrollTop);
      }}
    >
      <InSight layout={layout} top={top} active={active} onKey={follow} onChoose={choose} onOpen={onOpen} />
    </div>
  );
}

interface InSightProps {
  layout: AroundLayout;
  top: number;
  active: string | null;
  onKey: (event: KeyboardEvent) => void;
  onChoose: (key: string) => void;
  onOpen: (node: GraphNode) => void;
}

function InSight({ layout, top, active, onKey, onChoose, onOpen }: InSightProps): ReactNode {
  // In steps, so that scrolling by a little draws nothing again.
  const from = Math.floor(top / BEYOND) * BEYOND - BEYOND;
  const to = from + MOST_HEIGHT + 3 * BEYOND;
  const places = [...layout.places.values()].filter(({ y, height }) => y + height >= from && y <= to);
  const isDot = active !== null && layout.places.get(active)?.isDot === true;
  const lines = layout.lines.filter(
    ({ kind, ends, top: first, bottom }) => (kind !== "dot" || (isDot && ends.includes(active))) && bottom >= from && first <= to,
  );
  return (
    <div className="relative" style={{ width: layout.width + 2 * PADDING, height: layout.height + 2 * PADDING }}>
      <div className="absolute" style={{ left: PADDING, top: PADDING }}>
        <svg aria-hidden data-lines width={layout.width} height={layout.height} className="pointer-events-none absolute inset-0 overflow-visible">
          <Frames frames={layout.frames} />
          <Lines lines={lines} active={active} />
        </svg>
        {places.map((place) => (
          <NodeButton
            key={place.node.key}
            place={place}
            isActive={place.node.key === active}
            onKey={onKey}
            onChoose={onChoose}
            onOpen={onOpen}
          />
        ))}
      </div>
    </div>
  );
}

function Lines({ lines, active }: { lines: readonly Line[]; active: string | null }): ReactNode {
  const isOf = ({ ends }: Line): boolean => active !== null && ends.includes(active);
  return (
    <>
      {[...lines.filter((line) => !isOf(line)), ...lines.filter(isOf)].map((line) => (
        <path
          key={line.key}
          d={line.path}
          fill="none"
          className={isOf(line) ? "stroke-door-ink" : "stroke-edge/60"}
          strokeWidth={isOf(line) ? Math.max(line.width, 2) : line.width}
        />
      ))}
    </>
  );
}

/** Where dots lie, and how many they are. */
function Frames({ frames }: { frames: readonly Frame[] }): ReactNode {
  return frames.map(({ column, x, y, width, height, count }) => (
    <g key={column}>
      <rect x={x} y={y} width={width} height={height} rx={6} className="fill-paper stroke-line" />
      <text x={x + 10} y={y + 17} className="fill-ink-soft text-[13px] tabular-nums">
        {text.dots(count)}
      </text>
    </g>
  ));
}

interface NodeButtonProps extends Pick<InSightProps, "onKey" | "onChoose" | "onOpen"> {
  place: Place;
  isActive: boolean;
}

const NodeButton = memo(function NodeButton({ place, isActive, onKey, onChoose, onOpen }: NodeButtonProps): ReactNode {
  const { node, isDot } = place;
  const label = text.node(wordOf(node), node.label);
  return (
    <button
      type="button"
      data-node={node.key}
      tabIndex={isActive ? 0 : -1}
      aria-current={node.distance === 0 ? "true" : undefined}
      aria-label={label}
      title={label}
      className={clsx(
        "absolute flex items-center gap-2 text-left transition-colors",
        isDot ? "justify-center rounded-full" : "rounded-md border bg-paper px-2.5",
        !isDot && (node.distance === 0 ? "border-2 border-spine bg-cover" : "border-line hover:border-accent"),
        isActive && "ring-2 ring-door-ink",
      )}
      style={{ left: place.x, top: place.y, width: place.width, height: place.height }}
      onFocus={() => {
        onChoose(node.key);
      }}
      onPointerEnter={() => {
        onChoose(node.key);
      }}
      onKeyDown={onKey}
      onClick={() => {
        onOpen(node);
      }}
    >
      <NodeIcon node={node} className={isDot ? "size-4" : "size-4.5"} />
      {!isDot && <span className="line-clamp-2 min-w-0 text-[0.875rem] leading-tight [overflow-wrap:anywhere]">{node.label}</span>}
    </button>
  );
});

function bringIntoSight(box: HTMLElement | null, { x, y, width, height }: Place): void {
  if (box === null) return;
  const [left, top] = [x + PADDING, y + PADDING];
  if (top < box.scrollTop) box.scrollTop = top - PADDING;
  if (top + height > box.scrollTop + box.clientHeight) box.scrollTop = top + height + PADDING - box.clientHeight;
  if (left < box.scrollLeft) box.scrollLeft = left - PADDING;
  if (left + width > box.scrollLeft + box.clientWidth) box.scrollLeft = left + width + PADDING - box.clientWidth;
}
