/**
 * The lines of the drawing. Those from one thing to many dots are drawn as one bundle that ends at their frame;
 * the line of a single dot is drawn while that dot is looked at.
 */

import type { GraphEdge } from "../../../wire/generated";
import type { Frame, Place } from "./around-layout";

export interface Line {
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

export function linesOf(edges: readonly GraphEdge[], places: ReadonlyMap<string, Place>, frames: readonly Frame[]): Line[] {
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
