import { expect, test } from "vitest";

import { TREE } from "../testing/samples";
import { find, glowing, rowsOf, updated } from "./tree";

test("only folders that are open show what they hold", () => {
  const names = (open: string[]): string[] => rowsOf(TREE, new Set(open), new Map()).map(({ name }) => name);
  expect(names([])).toEqual(["src", "README.md"]);
  expect(names(["src"])).toEqual(["src", "cart.py", "prices.py", "README.md"]);
});

test("a row knows its level and its place among its siblings", () => {
  const row = rowsOf(TREE, new Set(["src"]), new Map([["src/prices.py", "critical"]]))[2];
  expect(row).toMatchObject({ level: 2, place: 2, siblings: 2, isFolder: false, hint: "critical" });
});

test("a new file stands in its place, in folders that are made for it", () => {
  const grown = updated(TREE, { action: "add", path: "docs/a/b.md" });
  expect(rowsOf(grown, new Set(["docs", "docs/a"]), new Map()).map(({ path }) => path)).toEqual([
    "docs",
    "docs/a",
    "docs/a/b.md",
    "src",
    "README.md",
  ]);
  expect(updated(grown, { action: "add", path: "docs/a/b.md" })).toBe(grown);
});

test("what goes is gone, and what is renamed keeps what it holds", () => {
  expect(find(updated(TREE, { action: "unlink", path: "src/cart.py" }), "src/cart.py")).toBeNull();
  expect(updated(TREE, { action: "unlinkDir", path: "src" }).children).toHaveLength(1);
  const renamed = updated(TREE, { action: "rename", path: "src", newPath: "lib" });
  expect(find(renamed, "lib/cart.py")?.name).toBe("cart.py");
  expect(find(renamed, "src")).toBeNull();
  expect(updated(TREE, { action: "change", path: "src/cart.py" })).toBe(TREE);
});

test("folders above a hint glow when it says so, with the strongest style", () => {
  const glow = glowing([
    { path: "src/a/x.py", style: "suggested", directories: true },
    { path: "src/y.py", style: "critical", directories: ["src"] },
    { path: "lib/z.py", style: "important" },
  ]);
  expect(Object.fromEntries(glow)).toEqual({
    "src/a/x.py": "suggested",
    "src/a": "suggested",
    src: "critical",
    "src/y.py": "critical",
    "lib/z.py": "important",
  });
});
