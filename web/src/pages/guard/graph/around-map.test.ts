import { expect, test } from "vitest";

import { node } from "../testing/learning-samples";
import { layOutAround, MOST_ROWS, towards } from "./around-map";

const edge = (source: string, target: string) => ({ source, relation: "led_to" as const, target });

test("what led to the trace lies left of it, what came of it right", () => {
  const layout = layOutAround({ nodes: [node("b", 0), node("c", 1), node("a", -1)], edges: [edge("a", "b"), edge("b", "c")] }, 900);
  const x = (key: string): number => layout.places.get(key)?.x ?? NaN;
  expect(x("a")).toBeLessThan(x("b"));
  expect(x("b")).toBeLessThan(x("c"));
  expect(layout.lines).toHaveLength(2);
  expect(layout.width).toBeLessThanOrEqual(900);
});

test("no two things cover each other, and every one has a place", () => {
  const nodes = [node("root", 0), ...Array.from({ length: 500 }, (_, place) => node(`n${place}`, place % 3 === 0 ? -1 : 1 + (place % 2)))];
  const layout = layOutAround({ nodes, edges: nodes.slice(1).map(({ key }) => edge("root", key)) }, 800);
  expect(layout.places.size).toBe(nodes.length);
  const spots = new Set([...layout.places.values()].map(({ x, y }) => `${x} ${y}`));
  expect(spots.size).toBe(nodes.length);
});

test("few things have names in their column, many are dots", () => {
  const few = Array.from({ length: MOST_ROWS }, (_, place) => node(`a${place}`, -1));
  const many = Array.from({ length: MOST_ROWS + 1 }, (_, place) => node(`b${place}`, 1));
  const layout = layOutAround({ nodes: [...few, node("root", 0), ...many], edges: [] }, 900);
  expect(layout.places.get("a0")?.isDot).toBe(false);
  expect(layout.places.get("b0")?.isDot).toBe(true);
});

test("a line to something that was left out is not drawn", () => {
  expect(layOutAround({ nodes: [node("a", 0)], edges: [edge("a", "gone")] }, 600).lines).toEqual([]);
});

test("sideways keys follow a line rather than the nearest thing", () => {
  const nodes = [node("root", 0), node("a", 1), node("b", 1), node("c", 2), node("d", 2)];
  const layout = layOutAround({ nodes, edges: [edge("root", "a"), edge("root", "b"), edge("a", "d"), edge("b", "c")] }, 900);
  expect(towards("ArrowRight", "a", layout)).toBe("d");
  expect(towards("ArrowRight", "b", layout)).toBe("c");
  expect(towards("ArrowLeft", "d", layout)).toBe("a");
  expect(towards("ArrowLeft", "root", layout)).toBeNull();
  expect(towards("Home", "d", layout)).toBe("root");
});
