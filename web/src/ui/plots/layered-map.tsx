/**
 * A map of things and what each needs, from top to bottom; or a list where there is no room for a map, so
 * that nobody has to move a picture about. The things are buttons, so every one is reached with the Tab key;
 * arrow keys go along the lines.
 */

import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useMemo } from "react";

import { useWidth } from "./plot";
import { short } from "./scales";

interface LayeredMapProps<T extends GraphNode> {
  name: string;
  nodes: readonly T[];
  chosen: string | null;
  onChoose: (id: string) => void;
  nodeHeight: number;
  isList: boolean;
  /** What the button of a node shows. */
  children: (node: T) => ReactNode;
  /** What a list shows below the chosen one; the map leaves that to whoever uses it. */
  below: (node: T) => ReactNode;
  groupOf: (node: T) => string;
  look: (node: T) => string;
}

const ROW_GAP = 44;
const BUTTON = "rounded-lg border bg-card text-left transition-colors hover:border-accent";

export function LayeredMap<T extends GraphNode>(props: LayeredMapProps<T>): ReactNode {
  const [ref, width] = useWidth<HTMLDivElement>();
  return (
    <div ref={ref} role="group" aria-label={props.name} className="min-w-0">
      {props.isList ? <AsList {...props} /> : <AsMap {...props} width={width} />}
    </div>
  );
}

function AsMap<T extends GraphNode>({ nodes, chosen, onChoose, nodeHeight, children, look, width }: LayeredMapProps<T> & { width: number }): ReactNode {
  const layout = useMemo(() => layOut(nodes, { width, nodeHeight, rowGap: ROW_GAP }), [nodes, width, nodeHeight]);
  const ordered = inReadingOrder(nodes, layout);
  return (
    <div className="relative" style={{ height: layout.height }}>
      <svg aria-hidden width={width} height={layout.height} className="absolute inset-0 overflow-visible">
        {layout.lines.map(({ from, to, path }) => (
          <path
            key={`${from} ${to}`}
            d={path}
            fill="none"
            className={from === chosen || to === chosen ? "stroke-ink" : "stroke-edge/70"}
            strokeWidth={from === chosen || to === chosen ? 2.5 : 1.5}
          />
        ))}
      </svg>
      {ordered.map((node) => {
        const box = layout.boxes.get(node.id);
        return (
          <button
            key={node.id}
            type="button"
            data-node={node.id}
            aria-pressed={node.id === chosen}
            className={clsx(BUTTON, "absolute overflow-hidden px-2.5 py-2", look(node), node.id === chosen && "ring-3 ring-ink")}
            style={{ left: box?.x, top: box?.y, width: layout.nodeWidth, height: nodeHeight }}
            onClick={() => {
              onChoose(node.id);
            }}
            onKeyDown={(event) => {
              followLines(event, node.id, layout);
            }}
          >
            {children(node)}
          </button>
        );
      })}
    </div>
  );
}

function AsList<T extends GraphNode>({ nodes, chosen, onChoose, children, below, groupOf, look }: LayeredMapProps<T>): ReactNode {
  const groups = [...new Set(nodes.map(groupOf))];
  return groups.map((group) => (
    <div key={group} className="mb-6">
      {group !== "" && <h3 className="mb-2 text-lg">{group}</h3>}
      <ul className="flex flex-col gap-2">
        {nodes
          .filter((node) => groupOf(node) === group)
          .map((node) => (
            <li key={node.id}>
              <button
                type="button"
                aria-expanded={node.id === chosen}
                className={clsx(BUTTON, "w-full px-3 py-2", look(node))}
                onClick={() => {
                  onChoose(node.id);
                }}
              >
                {children(node)}
              </button>
              {node.id === chosen && <div className="border-l-3 border-spine px-4 py-3">{below(node)}</div>}
            </li>
          ))}
      </ul>
    </div>
  ));
}

/** Row by row, each from left to right: the way the Tab key goes. */
function inReadingOrder<T extends GraphNode>(nodes: readonly T[], { boxes }: MapLayout): T[] {
  const at = (node: T): { x: number; y: number } => boxes.get(node.id) ?? { x: 0, y: 0 };
  return nodes.toSorted((one, other) => at(one).y - at(other).y || at(one).x - at(other).x);
}

/** The node that an arrow key leads to: up and down along a line, to the sides within the row. */
export function nodeTowards(key: string, id: string, { boxes, lines }: MapLayout): string | null {
  const here = boxes.get(id);
  if (here === undefined) return null;
  const x = (other: string): number => boxes.get(other)?.x ?? 0;
  const nearest = (found: string[]): string | null =>
    found.toSorted((one, other) => Math.abs(x(one) - here.x) - Math.abs(x(other) - here.x))[0] ?? null;
  const inRow = [...boxes].filter(([, box]) => box.y === here.y).map(([other]) => other);
  switch (key) {
    case "ArrowUp":
      return nearest(lines.filter(({ to }) => to === id).map(({ from }) => from));
    case "ArrowDown":
      return nearest(lines.filter(({ from }) => from === id).map(({ to }) => to));
    case "ArrowLeft":
      return nearest(inRow.filter((other) => x(other) < here.x));
    case "ArrowRight":
      return nearest(inRow.filter((other) => x(other) > here.x));
    default:
      return null;
  }
}

function followLines(event: KeyboardEvent<HTMLElement>, id: string, layout: MapLayout): void {
  const to = nodeTowards(event.key, id, layout);
  if (to === null) return;
  event.preventDefault();
  const group = event.currentTarget.parentElement;
  group?.querySelector<HTMLElement>(`[data-node="${CSS.escape(to)}"]`)?.focus();
}

interface Box {
  x: number;
  y: number;
}

interface MapLine {
  from: string;
  to: string;
  path: string;
}

export interface MapLayout {
  boxes: Map<string, Box>;
  lines: MapLine[];
  nodeWidth: number;
  height: number;
}

interface MapSizes {
  width: number;
  nodeHeight: number;
  /** Between two rows, where the lines are. */
  rowGap: number;
}

const NARROWEST = 132;
const WIDEST = 184;
const GAP = 16;
/** How much of a row a line takes that only passes. */
const LINE_ROOM = 10;
const ROUNDS = 12;

/** Where the nodes and lines of a map lie, for a width that is given. */
export function layOut(nodes: readonly GraphNode[], { width, nodeHeight, rowGap }: MapSizes): MapLayout {
  const layers = layersOf(nodes, Math.floor((width + GAP) / (NARROWEST + GAP)));
  const nodeWidth = Math.min(WIDEST, ...layers.rows.map((row) => roomFor(row, width)));
  const centres = centresOf(layers, nodeWidth, width);
  const top = (row: number): number => row * (nodeHeight + rowGap);
  const boxes = new Map<string, Box>();
  const ends = new Map<string, { x: number; top: number; bottom: number }>();
  for (const [number, row] of layers.rows.entries()) {
    for (const { id, isLine } of row) {
      const x = centres.get(id) ?? 0;
      ends.set(id, { x, top: top(number), bottom: top(number) + nodeHeight });
      if (!isLine) boxes.set(id, { x: x - nodeWidth / 2, y: top(number) });
    }
  }
  const lines = layers.lines.map((line) => ({
    from: line[0] ?? "",
    to: line.at(-1) ?? "",
    path: pathThrough(line.flatMap((id) => ends.get(id) ?? [])),
  }));
  return { boxes, lines, nodeWidth, height: Math.max(top(layers.rows.length) - rowGap, 0) };
}

/** How wide a node of this row may be. */
function roomFor(row: readonly Slot[], width: number): number {
  const nodes = row.filter(({ isLine }) => !isLine).length;
  if (nodes === 0) return WIDEST;
  const passing = row.length - nodes;
  return (width - passing * LINE_ROOM - (row.length - 1) * GAP) / nodes;
}

/** Each slot below what it hangs on: down and up the rows by turns, down last so that lines are straight. */
function centresOf(layers: Layers, nodeWidth: number, width: number): Map<string, number> {
  const half = (slot: Slot): number => (slot.isLine ? LINE_ROOM : nodeWidth) / 2;
  const made = new Map<string, number>();
  const put = (row: readonly Slot[], wanted: readonly number[]): void => {
    keepApart(row, wanted, half, width).forEach((x, place) => made.set(row[place]?.id ?? "", x));
  };
  for (const row of layers.rows) put(row, row.map((_, place) => ((place + 0.5) / row.length) * width));
  const [above, below] = [endsBy(layers.steps, "to", "from"), endsBy(layers.steps, "from", "to")];
  for (let round = 0; round < ROUNDS; round += 1) {
    const isDown = round % 2 === 1;
    const beside = isDown ? above : below;
    for (const row of isDown ? layers.rows : layers.rows.toReversed()) {
      put(
        row,
        row.map(({ id }) => {
          const near = (beside.get(id) ?? []).flatMap((other) => made.get(other) ?? []);
          return near.length === 0 ? (made.get(id) ?? 0) : mean(near);
        }),
      );
    }
  }
  return made;
}

/** The wishes, moved so that nothing overlaps and everything is inside: pushed right, then pushed left. */
function keepApart(row: readonly Slot[], wanted: readonly number[], half: (slot: Slot) => number, width: number): number[] {
  const fromLeft: number[] = [];
  for (const [place, slot] of row.entries()) {
    const before = row[place - 1];
    const least = before === undefined ? half(slot) : (fromLeft[place - 1] ?? 0) + half(before) + GAP + half(slot);
    fromLeft.push(Math.max(wanted[place] ?? 0, least));
  }
  const made: number[] = [];
  for (const [place, slot] of [...row.entries()].reverse()) {
    const after = row[place + 1];
    const most = after === undefined ? width - half(slot) : (made[place + 1] ?? width) - half(after) - GAP - half(slot);
    made[place] = Math.min(fromLeft[place] ?? 0, most);
  }
  return made;
}

/** From below the first to above the last, straight down through the slots between. */
function pathThrough(ends: readonly { x: number; top: number; bottom: number }[]): string {
  let path = "";
  for (const [place, end] of ends.entries()) {
    const before = ends[place - 1];
    if (before === undefined) {
      path = `M${short(end.x)} ${short(end.bottom)}`;
      continue;
    }
    const middle = (before.bottom + end.top) / 2;
    path += `C${short(before.x)} ${short(middle)} ${short(end.x)} ${short(middle)} ${short(end.x)} ${short(end.top)}`;
    if (place < ends.length - 1) path += `V${short(end.bottom)}`;
  }
  return path;
}

// Which row of a map something is in: below everything it needs, and in an order with few crossings.

export interface GraphNode {
  id: string;
  /** What has to come before it. */
  needs: readonly string[];
}

/** A place in a row: a node, or where a line passes on its way to a row further down. */
interface Slot {
  id: string;
  isLine: boolean;
}

interface Step {
  from: string;
  to: string;
}

interface Layers {
  rows: Slot[][];
  /** Steps from a row to the next one; a long line has several. */
  steps: Step[];
  /** The lines as they are drawn: the slots each passes, from what is needed to what needs it. */
  lines: string[][];
}

const SWEEPS = 8;

/** `most` is how many nodes fit beside each other; a row with more of them goes on in another one. */
export function layersOf(nodes: readonly GraphNode[], most: number): Layers {
  const needs = cleared(nodes);
  const depth = depthsOf(nodes, needs);
  const row = rowsOf(nodes, depth, Math.max(most, 1));
  const rows: Slot[][] = Array.from({ length: Math.max(-1, ...row.values()) + 1 }, () => []);
  for (const { id } of nodes) rows[row.get(id) ?? 0]?.push({ id, isLine: false });
  const lines = withoutImplied(nodes, needs).map(({ from, to }) => routed(from, to, row, rows));
  const steps = lines.flatMap((line) => line.slice(1).map((to, place) => ({ from: line[place] ?? to, to })));
  return { rows: untangled(rows, steps), steps, lines };
}

/** What each node needs among the nodes that are there; a circle is cut where it would close. */
function cleared(nodes: readonly GraphNode[]): Map<string, string[]> {
  const given = new Map(nodes.map(({ id, needs }) => [id, needs]));
  const made = new Map<string, string[]>();
  const open = new Set<string>();
  const visit = (id: string): void => {
    if (made.has(id)) return;
    open.add(id);
    const kept = [...new Set(given.get(id) ?? [])].filter((need) => given.has(need) && !open.has(need));
    for (const need of kept) visit(need);
    open.delete(id);
    made.set(id, kept);
  };
  for (const { id } of nodes) visit(id);
  return made;
}

function depthsOf(nodes: readonly GraphNode[], needs: ReadonlyMap<string, string[]>): Map<string, number> {
  const found = new Map<string, number>();
  const depth = (id: string): number => {
    const known = found.get(id);
    if (known !== undefined) return known;
    const made = Math.max(-1, ...(needs.get(id) ?? []).map(depth)) + 1;
    found.set(id, made);
    return made;
  };
  for (const { id } of nodes) depth(id);
  return found;
}

function rowsOf(nodes: readonly GraphNode[], depth: ReadonlyMap<string, number>, most: number): Map<string, number> {
  const deepest = Math.max(-1, ...depth.values());
  const made = new Map<string, number>();
  let row = 0;
  for (let level = 0; level <= deepest; level += 1) {
    const there = nodes.filter(({ id }) => depth.get(id) === level);
    const parts = Math.max(Math.ceil(there.length / most), 1);
    const each = Math.ceil(there.length / parts);
    there.forEach(({ id }, place) => made.set(id, row + Math.floor(place / each)));
    row += parts;
  }
  return made;
}

/** The lines worth drawing: one that a longer way says already is left out. */
function withoutImplied(nodes: readonly GraphNode[], needs: ReadonlyMap<string, string[]>): Step[] {
  const reached = new Map<string, Set<string>>();
  const before = (id: string): Set<string> => {
    const known = reached.get(id);
    if (known !== undefined) return known;
    const direct = needs.get(id) ?? [];
    const all = new Set(direct.flatMap((need) => [need, ...before(need)]));
    reached.set(id, all);
    return all;
  };
  return nodes.flatMap(({ id }) => {
    const direct = needs.get(id) ?? [];
    const kept = direct.filter((need) => !direct.some((other) => other !== need && before(other).has(need)));
    return kept.map((from) => ({ from, to: id }));
  });
}

/** The slots that a line passes; those in the rows between are made here. */
function routed(from: string, to: string, row: ReadonlyMap<string, number>, rows: Slot[][]): string[] {
  const made = [from];
  for (let at = (row.get(from) ?? 0) + 1; at < (row.get(to) ?? 0); at += 1) {
    const id = `${from}→${to}@${at}`;
    rows[at]?.push({ id, isLine: true });
    made.push(id);
  }
  return [...made, to];
}

/** Every row sorted by where its neighbours lie, down and up again, and the best of it kept. */
function untangled(rows: Slot[][], steps: readonly Step[]): Slot[][] {
  const above = endsBy(steps, "to", "from");
  const below = endsBy(steps, "from", "to");
  let order = rows;
  let best = rows;
  let fewest = crossings(rows, steps);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    order = sweep % 2 === 0 ? sorted(order, above) : sorted(order.toReversed(), below).toReversed();
    const count = crossings(order, steps);
    if (count < fewest) [best, fewest] = [order, count];
  }
  return best;
}

/** The other ends of the steps at each of these ends. */
function endsBy(steps: readonly Step[], of: "from" | "to", to: "from" | "to"): Map<string, string[]> {
  const made = new Map<string, string[]>();
  for (const step of steps) made.set(step[of], [...(made.get(step[of]) ?? []), step[to]]);
  return made;
}

/** The rows one after the other, each sorted by where its neighbours in the row before it ended up. */
function sorted(rows: readonly Slot[][], beside: ReadonlyMap<string, string[]>): Slot[][] {
  const shares = new Map<string, number>();
  return rows.map((row) => {
    const wanted = row.map((slot, place) => {
      const around = (beside.get(slot.id) ?? []).flatMap((id) => shares.get(id) ?? []);
      return { slot, at: around.length === 0 ? (place + 0.5) / row.length : mean(around) };
    });
    const made = wanted.sort((one, other) => one.at - other.at).map(({ slot }) => slot);
    for (const [place, { id }] of made.entries()) shares.set(id, (place + 0.5) / row.length);
    return made;
  });
}

function placesOf(rows: readonly Slot[][]): Map<string, { row: number; place: number }> {
  return new Map(rows.flatMap((slots, row) => slots.map(({ id }, place) => [id, { row, place }] as const)));
}

export function crossings(rows: readonly Slot[][], steps: readonly Step[]): number {
  const places = placesOf(rows);
  const ends = steps.flatMap(({ from, to }) => {
    const [start, end] = [places.get(from), places.get(to)];
    return start === undefined || end === undefined ? [] : [{ row: start.row, start: start.place, end: end.place }];
  });
  let count = 0;
  for (const [place, one] of ends.entries()) {
    for (const other of ends.slice(place + 1)) {
      if (one.row === other.row && (one.start - other.start) * (one.end - other.end) < 0) count += 1;
    }
  }
  return count;
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}
