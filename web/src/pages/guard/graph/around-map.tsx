/**
 * The drawing of what stands around a trace. Only what is in sight is drawn, so that thousands of things stay
 * smooth; one of them is in the Tab order, and the arrow keys go from there to the next.
 */

import { clsx } from "clsx";
import { type KeyboardEvent, memo, type ReactNode, useCallback, useEffect, useMemo, useRef, useState } from "react";

import type { GraphAround, GraphEdge, GraphNode } from "../../../wire/generated";
import { NodeIcon, wordOf } from "./marks";
import { graphStrings } from "./strings";

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

// Where the things around a trace lie: what led to it on the left, what came of it on the right, one column
// for each step. Of a column with many things the notable ones keep their names and the others are packed as
// dots into a frame, so that two thousand are still a picture.

interface Place {
  node: GraphNode;
  x: number;
  y: number;
  width: number;
  height: number;
  isDot: boolean;
  /** Its column, and its place in it. */
  column: number;
  order: number;
}

/** Where the dots of a column lie. */
interface Frame {
  column: number;
  x: number;
  y: number;
  width: number;
  height: number;
  count: number;
}

interface AroundLayout {
  places: Map<string, Place>;
  columns: Place[][];
  frames: Frame[];
  lines: Line[];
  width: number;
  height: number;
}

const NARROWEST = 148;
const WIDEST = 240;
const GAP = 56;
const ROW = 46;
const ROW_GAP = 10;
const DOT = 26;
/** What stands above the dots in their frame: how many they are. */
const HEAD = 24;
/** From this many on the rest of a column is drawn as dots. */
export const MOST_ROWS = 9;
const MOST_NAMED = 4;

export function layOutAround({ nodes, edges }: Pick<GraphAround, "nodes" | "edges">, width: number): AroundLayout {
  const groups = columnsOf(nodes);
  const nodeWidth = Math.min(WIDEST, Math.max(NARROWEST, (width - GAP * (groups.length - 1)) / Math.max(groups.length, 1)));
  // Small columns stand in the middle of this, tall ones begin at the top.
  const view = Math.min(Math.max(...groups.map(({ length }) => length), 1), MOST_ROWS) * (ROW + ROW_GAP) - ROW_GAP;
  const beside = neighbours(edges);
  const places = new Map<string, Place>();
  const frames: Frame[] = [];
  const columns: Place[][] = Array.from({ length: groups.length }, () => []);
  for (const column of fromTheMiddle(groups)) {
    const ordered = inOrder(groups[column] ?? [], beside, places);
    const made = placed(ordered, { column, x: column * (nodeWidth + GAP), width: nodeWidth, view });
    columns[column] = made.places;
    if (made.frame !== null) frames.push(made.frame);
    for (const place of made.places) places.set(place.node.key, place);
  }
  return {
    places,
    columns,
    frames,
    lines: linesOf(edges, places, frames),
    width: groups.length * nodeWidth + Math.max(groups.length - 1, 0) * GAP,
    height: Math.max(view, ...frames.map((frame) => frame.y + frame.height)),
  };
}

/** The nodes by how far away they are, from what led to the trace to what came of it. */
function columnsOf(nodes: readonly GraphNode[]): GraphNode[][] {
  const byDistance = new Map<number, GraphNode[]>();
  for (const node of nodes) {
    const found = byDistance.get(node.distance);
    if (found === undefined) byDistance.set(node.distance, [node]);
    else found.push(node);
  }
  return [...byDistance].toSorted(([one], [other]) => one - other).map(([, found]) => found);
}

/** The column of the trace first, then outwards: each is sorted by the one before it. */
function fromTheMiddle(groups: readonly GraphNode[][]): number[] {
  const distance = (index: number): number => Math.abs(groups[index]?.[0]?.distance ?? 0);
  return groups.map((_, index) => index).toSorted((one, other) => distance(one) - distance(other));
}

function neighbours(edges: readonly GraphEdge[]): Map<string, string[]> {
  const found = new Map<string, string[]>();
  const add = (one: string, other: string): void => {
    const known = found.get(one);
    if (known === undefined) found.set(one, [other]);
    else known.push(other);
  };
  for (const { source, target } of edges) {
    add(source, target);
    add(target, source);
  }
  return found;
}

function inOrder(nodes: GraphNode[], beside: ReadonlyMap<string, string[]>, places: ReadonlyMap<string, Place>): GraphNode[] {
  const wanted = new Map(
    nodes.map(({ key }) => {
      const around = (beside.get(key) ?? []).flatMap((other) => places.get(other)?.y ?? []);
      return [key, around.length === 0 ? Infinity : around.reduce((sum, y) => sum + y, 0) / around.length];
    }),
  );
  const at = ({ key }: GraphNode): number => wanted.get(key) ?? 0;
  return nodes.toSorted((one, other) => {
    const difference = at(one) - at(other);
    if (difference !== 0 && !Number.isNaN(difference)) return difference;
    return one.kind.localeCompare(other.kind) || (one.at ?? "").localeCompare(other.at ?? "") || one.key.localeCompare(other.key);
  });
}

interface Room {
  column: number;
  x: number;
  width: number;
  view: number;
}

function placed(nodes: readonly GraphNode[], { column, x, width, view }: Room): { places: Place[]; frame: Frame | null } {
  const isMany = nodes.length > MOST_ROWS;
  const named = isMany ? nodes.toSorted((one, other) => rank(one) - rank(other)).slice(0, MOST_NAMED).filter((each) => rank(each) < LEAST) : nodes;
  const height = named.length * (ROW + ROW_GAP) - ROW_GAP;
  const top = isMany ? 0 : (view - height) / 2;
  const rows = named.map((node, order) => ({ node, x, y: top + order * (ROW + ROW_GAP), width, height: ROW, isDot: false, column, order }));
  if (!isMany) return { places: rows, frame: null };
  const kept = new Set(named);
  const rest = nodes.filter((node) => !kept.has(node));
  const start = named.length === 0 ? 0 : height + ROW_GAP;
  const across = Math.max(Math.floor((width - 8) / DOT), 1);
  const dots = rest.map((node, place) => ({
    node,
    x: x + 4 + (place % across) * DOT,
    y: start + HEAD + Math.floor(place / across) * DOT,
    width: DOT,
    height: DOT,
    isDot: true,
    column,
    order: named.length + place,
  }));
  const frame = { column, x, y: start, width, height: HEAD + Math.ceil(rest.length / across) * DOT + 4, count: rest.length };
  return { places: [...rows, ...dots], frame };
}

const LEAST = 3;

/** What keeps its name among many: where something went wrong, then things, then what was let pass. */
function rank({ kind, type }: GraphNode): number {
  if (type === "violation" || type === "correction") return 0;
  if (kind !== "decision") return 1;
  return type === "approval" ? 2 : LEAST;
}

/** The node that a key leads to: up and down within the column, to the sides along a line or to the nearest. */
export function towards(key: string, from: string, layout: AroundLayout): string | null {
  const here = layout.places.get(from);
  if (here === undefined) return null;
  const column = layout.columns[here.column] ?? [];
  if (key === "ArrowUp") return column[here.order - 1]?.node.key ?? null;
  if (key === "ArrowDown") return column[here.order + 1]?.node.key ?? null;
  if (key === "Home") return [...layout.places.values()].find(({ node }) => node.distance === 0)?.node.key ?? null;
  if (key !== "ArrowLeft" && key !== "ArrowRight") return null;
  const next = layout.columns[here.column + (key === "ArrowRight" ? 1 : -1)] ?? [];
  const linked = new Set(layout.lines.flatMap(({ ends: [one, other] }) => (one === from ? [other] : other === from ? [one] : [])));
  const nearest = (found: readonly Place[]): string | null =>
    found.toSorted((one, other) => Math.abs(one.y - here.y) - Math.abs(other.y - here.y))[0]?.node.key ?? null;
  return nearest(next.filter(({ node }) => linked.has(node.key))) ?? nearest(next);
}

interface Line {
  key: string;
  /** The nodes it joins; a bundle has a frame at its other end. */
  ends: readonly [string, string];
  kind: "line" | "bundle" | "dot";
  path: string;
  width: number;
  top: number;
  bottom: number;
}

/** Something a line begins or ends at. */
interface Box {
  x: number;
  y: number;
  width: number;
  height: number;
  column: number;
}

const BEND = 28;
/** A bundle ends near the top of a tall frame, where it is seen first. */
const MOST_DOWN = 220;

/**
 * The lines of the drawing. Those from one thing to many dots are drawn as one bundle that ends at their frame;
 * the line of a single dot is drawn while that dot is looked at.
 */
function linesOf(edges: readonly GraphEdge[], places: ReadonlyMap<string, Place>, frames: readonly Frame[]): Line[] {
  const lines: Line[] = [];
  const bundles = new Map<string, { from: Place; to: Frame; count: number }>();
  for (const { source, relation, target } of edges) {
    const [one, other] = [places.get(source), places.get(target)];
    if (one === undefined || other === undefined) continue;
    const kind = one.isDot || other.isDot ? "dot" : "line";
    lines.push({ key: `${source} ${relation} ${target}`, ends: [source, target], kind, width: 1.25, ...curve(one, other) });
    if (one.isDot === other.isDot) continue;
    const [named, dot] = one.isDot ? [other, one] : [one, other];
    const frame = frames.find(({ column }) => column === dot.column);
    if (frame === undefined) continue;
    const key = `${named.node.key} ${frame.column}`;
    const known = bundles.get(key);
    if (known === undefined) bundles.set(key, { from: named, to: frame, count: 1 });
    else known.count += 1;
  }
  for (const [key, { from, to, count }] of bundles) {
    const end = { ...to, height: Math.min(to.height, 2 * MOST_DOWN) };
    lines.push({
      key: `bundle ${key}`,
      ends: [from.node.key, `frame ${to.column}`],
      kind: "bundle",
      width: Math.min(1.5 + Math.log2(count + 1), 9),
      ...curve(from, end),
    });
  }
  return lines;
}

function curve(one: Box, other: Box): Pick<Line, "path" | "top" | "bottom"> {
  const [left, right] = one.x <= other.x ? [one, other] : [other, one];
  const [fromY, toY] = [left.y + left.height / 2, right.y + right.height / 2];
  // Within a column the line bows out to the right; else it swings over half of the way.
  const isSide = left.column === right.column;
  const fromX = left.x + left.width;
  const toX = isSide ? right.x + right.width : right.x;
  const bend = isSide ? BEND : Math.max((toX - fromX) / 2, BEND);
  const secondX = isSide ? toX + bend : toX - bend;
  return {
    path: `M${round(fromX)} ${round(fromY)}C${round(fromX + bend)} ${round(fromY)} ${round(secondX)} ${round(toY)} ${round(toX)} ${round(toY)}`,
    top: Math.min(fromY, toY),
    bottom: Math.max(fromY, toY),
  };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
