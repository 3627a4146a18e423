/**
 * Where the things around a trace lie: what led to it on the left, what came of it on the right, one column
 * for each step. Of a column with many things the notable ones keep their names and the others are packed as
 * dots into a frame, so that two thousand are still a picture.
 */

import type { GraphAround, GraphEdge, GraphNode } from "../../../wire/generated";
import { type Line, linesOf } from "./around-lines";

export interface Place {
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
export interface Frame {
  column: number;
  x: number;
  y: number;
  width: number;
  height: number;
  count: number;
}

export interface AroundLayout {
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
