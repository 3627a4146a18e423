import { expect, test } from "vitest";

import { rowsOf } from "../state/tree";
import { TREE } from "../testing/samples";
import { moveFor, stretchOf } from "./files-pane";

const ROWS = rowsOf(TREE, new Set(["src"]), new Map());

test.each([
  ["ArrowDown", 0, { kind: "go", to: 1 }],
  ["ArrowUp", 0, null],
  ["End", 0, { kind: "go", to: 3 }],
  ["ArrowRight", 0, { kind: "go", to: 1 }],
  ["ArrowRight", 1, null],
  ["ArrowLeft", 0, { kind: "fold", path: "src", isOpen: false }],
  ["ArrowLeft", 2, { kind: "go", to: 0 }],
  ["Enter", 1, { kind: "open", path: "src/cart.py" }],
  ["Enter", 0, { kind: "fold", path: "src", isOpen: false }],
  ["r", 0, { kind: "go", to: 3 }],
  ["s", 3, { kind: "go", to: 0 }],
  ["Tab", 0, null],
])("%s at row %i", (key, at, move) => {
  expect(moveFor(key, at, ROWS)).toEqual(move);
});

test("of ten thousand rows only those around the window are drawn", () => {
  const { first, end } = stretchOf(180_000, 720, 36, 10_000);
  expect(first).toBeLessThanOrEqual(5000);
  expect(end).toBeGreaterThanOrEqual(5020);
  expect(end - first).toBeLessThan(50);
  expect(stretchOf(900_000, 720, 36, 3)).toEqual({ first: 2, end: 3 });
});
