/** What the keys do in the tree of files, as WAI-ARIA wants it. */

import type { Row } from "../../state/tree";

export type Move = { kind: "go"; to: number } | { kind: "fold"; path: string; isOpen: boolean } | { kind: "open"; path: string };

/** What a key does at a row, or null when it does nothing here. */
export function moveFor(key: string, at: number, rows: readonly Row[]): Move | null {
  const row = rows[at];
  if (row === undefined) return null;
  switch (key) {
    case "ArrowDown":
      return go(at + 1, rows);
    case "ArrowUp":
      return go(at - 1, rows);
    case "Home":
      return go(0, rows);
    case "End":
      return go(rows.length - 1, rows);
    case "PageDown":
      return go(Math.min(at + 12, rows.length - 1), rows);
    case "PageUp":
      return go(Math.max(at - 12, 0), rows);
    case "ArrowRight":
      if (!row.isFolder) return null;
      return row.isOpen ? go(at + 1, rows) : { kind: "fold", path: row.path, isOpen: true };
    case "ArrowLeft":
      if (row.isOpen) return { kind: "fold", path: row.path, isOpen: false };
      return go(parentOf(at, rows), rows);
    case "Enter":
    case " ":
      return row.isFolder ? { kind: "fold", path: row.path, isOpen: !row.isOpen } : { kind: "open", path: row.path };
    default:
      return key.length === 1 ? go(named(key, at, rows), rows) : null;
  }
}

function go(to: number, rows: readonly Row[]): Move | null {
  return to >= 0 && to < rows.length ? { kind: "go", to } : null;
}

function parentOf(at: number, rows: readonly Row[]): number {
  const level = rows[at]?.level ?? 1;
  return rows.findLastIndex((row, place) => place < at && row.level < level);
}

/** The next row whose name begins so. */
function named(letter: string, at: number, rows: readonly Row[]): number {
  const begins = ({ name }: Row): boolean => name.toLowerCase().startsWith(letter.toLowerCase());
  const after = rows.findIndex((row, place) => place > at && begins(row));
  return after >= 0 ? after : rows.findIndex(begins);
}
