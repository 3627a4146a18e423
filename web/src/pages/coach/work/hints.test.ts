import { EditorState } from "@codemirror/state";
import { expect, test } from "vitest";

import { rowsOf } from "../state/files";
import { TREE } from "../testing/samples";
import { moveFor, stretchOf } from "./files-pane";
import { beside, hintField, hintsAt, hintsOf, setHints } from "./hints";
import { spotOf } from "./typing";

const TEXT = Array.from({ length: 20 }, (_, at) => `line ${at + 1}`).join("\n");

function stateWith(...lines: [number, number][]): EditorState {
  const hints = lines.map(([start, end]) => ({ start, end, style: "focus", hoverText: `at ${start}` }));
  return EditorState.create({ doc: TEXT, extensions: hintField }).update({ effects: setHints.of(hints) }).state;
}

function starts(state: EditorState): number[] {
  return hintsOf(state).map(({ from }) => state.doc.lineAt(from).number);
}

test("hints move with the text above them and are listed from the top", () => {
  const state = stateWith([12, 14], [3, 3]);
  expect(starts(state)).toEqual([3, 12]);
  const typed = state.update({ changes: { from: 0, insert: "a\nb\n" } }).state;
  expect(starts(typed)).toEqual([5, 14]);
});

test("lines that the text does not have carry no hint", () => {
  expect(starts(stateWith([40, 41], [19, 99]))).toEqual([19]);
});

test("new hints take the place of the old ones", () => {
  const state = stateWith([2, 2]).update({ effects: setHints.of([]) }).state;
  expect(hintsOf(state)).toEqual([]);
});

test("a place knows every hint at its line", () => {
  const state = stateWith([2, 6], [4, 4], [9, 9]);
  expect(hintsAt(state, state.doc.line(4).from + 2).map(({ words }) => words)).toEqual(["at 2", "at 4"]);
});

test("the next hint comes after the cursor's line, and the first after the last", () => {
  const state = stateWith([5, 5], [10, 10]);
  const at = (line: number): EditorState => state.update({ selection: { anchor: state.doc.line(line).from } }).state;
  expect(beside(at(5), 1)?.words).toBe("at 10");
  expect(beside(at(10), 1)?.words).toBe("at 5");
  expect(beside(at(10), -1)?.words).toBe("at 5");
  expect(beside(at(1), -1)?.words).toBe("at 10");
  expect(beside(stateWith(), 1)).toBeNull();
});

test("a selection is told with lines and columns from 1, and some lines around it", () => {
  const state = stateWith().update({ selection: { anchor: 2, head: 10 } }).state;
  const { cursor, selected } = spotOf(state);
  expect(cursor).toEqual({ line: 2, column: 4 });
  expect(selected?.range).toEqual({ startLine: 1, startCol: 3, endLine: 2, endCol: 4 });
  expect(selected?.text).toBe("ne 1\nlin");
  expect(selected?.around).toBe(TEXT);
});

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
