/** Where the nodes and lines of a map lie, for a width that is given. */

import { endsBy, type GraphNode, type Layers, layersOf, mean, type Slot } from "./layers";
import { short } from "./scales";

export interface Box {
  x: number;
  y: number;
}

export interface MapLine {
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

export interface MapSizes {
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
