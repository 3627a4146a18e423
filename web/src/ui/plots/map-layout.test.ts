import { expect, test } from "vitest";

import { crossings, type GraphNode, layersOf, layOut, type MapLayout } from "./layered-map";

const COURSE: GraphNode[] = [
  { id: "cost", needs: [] },
  { id: "lists", needs: [] },
  { id: "dicts", needs: ["lists"] },
  { id: "invariants", needs: ["lists"] },
  { id: "linear", needs: ["invariants", "cost"] },
  { id: "binary", needs: ["linear"] },
  { id: "sorts", needs: ["binary"] },
  { id: "recursion", needs: ["invariants"] },
  { id: "merge", needs: ["recursion", "sorts"] },
  { id: "stacks", needs: ["lists"] },
  { id: "linked", needs: ["stacks"] },
  { id: "trees", needs: ["recursion", "linked"] },
  { id: "review", needs: ["linear", "dicts", "invariants"] },
];
const SIZES = { width: 900, nodeHeight: 70, rowGap: 40 };

function rowOf(layout: MapLayout, id: string): number {
  return layout.boxes.get(id)?.y ?? NaN;
}

test.each([300, 500, 900, 1400])("everything lies below what it needs, inside and apart, %i wide", (width) => {
  const layout = layOut(COURSE, { ...SIZES, width });
  expect(layout.boxes.size).toBe(COURSE.length);
  for (const { id, needs } of COURSE) {
    for (const need of needs) expect(rowOf(layout, id)).toBeGreaterThan(rowOf(layout, need));
  }
  const boxes = [...layout.boxes.values()];
  for (const { x, y } of boxes) {
    expect(x).toBeGreaterThanOrEqual(-0.01);
    expect(x + layout.nodeWidth).toBeLessThanOrEqual(width + 0.01);
    expect(y + SIZES.nodeHeight).toBeLessThanOrEqual(layout.height + 0.01);
  }
  for (const [place, one] of boxes.entries()) {
    for (const other of boxes.slice(place + 1)) {
      if (one.y === other.y) expect(Math.abs(one.x - other.x)).toBeGreaterThanOrEqual(layout.nodeWidth);
    }
  }
});

test("a line that a longer way says already is not drawn", () => {
  const { lines } = layOut(COURSE, SIZES);
  const drawn = lines.map(({ from, to }) => `${from} ${to}`);
  expect(drawn).toContain("linear review");
  expect(drawn).not.toContain("invariants review");
});

test("lines that would cross in the order of the course are untangled", () => {
  const nodes = [
    { id: "a", needs: [] },
    { id: "b", needs: [] },
    { id: "c", needs: ["b"] },
    { id: "d", needs: ["a"] },
  ];
  const { rows, steps } = layersOf(nodes, 5);
  expect(crossings(rows, steps)).toBe(0);
});

test("a circle and a need that is not there do no harm", () => {
  const layout = layOut([{ id: "a", needs: ["b", "a"] }, { id: "b", needs: ["a", "gone"] }], SIZES);
  expect(layout.boxes.size).toBe(2);
  expect(layout.lines).toHaveLength(1);
});

test("two hundred things without any order fill rows", () => {
  const nodes = Array.from({ length: 200 }, (_, place) => ({ id: String(place), needs: [] }));
  const { boxes, lines } = layOut(nodes, SIZES);
  const rows = new Set([...boxes.values()].map(({ y }) => y));
  expect(rows.size).toBe(34);
  expect(lines).toEqual([]);
});

test("nothing is a map without height", () => {
  expect(layOut([], SIZES)).toMatchObject({ height: 0, lines: [] });
});
