import { expect, test } from "vitest";

import { layOut, nodeTowards } from "../../ui/plots/layered-map";
import { daysUntil, firstToShow, isDue, lookOf } from "./status";
import { CONCEPTS } from "./testing/samples";

const NOW = new Date(2026, 4, 6, 12);

test("something new that can be begun looks otherwise than what has to wait", () => {
  expect(CONCEPTS.map(lookOf)).toEqual(["mastered", "review", "ready", "new"]);
});

test("the map begins with what is due, then with what can be begun", () => {
  expect(firstToShow(CONCEPTS, NOW)).toBe("numbers");
  expect(firstToShow(CONCEPTS.filter(({ id }) => id !== "numbers"), NOW)).toBe("food");
  expect(firstToShow([], NOW)).toBeNull();
});

test("days until something comes back are counted from midnight to midnight", () => {
  expect(daysUntil(new Date(2026, 4, 6, 23).toISOString(), NOW)).toBe(0);
  expect(daysUntil(new Date(2026, 4, 7, 1).toISOString(), NOW)).toBe(1);
  expect(daysUntil(new Date(2026, 3, 1).toISOString(), NOW)).toBe(0);
  expect(isDue({ due: null }, NOW)).toBe(false);
});

test("arrow keys go along the lines of the map and within a row", () => {
  const nodes = [
    { id: "a", needs: [] },
    { id: "b", needs: ["a"] },
    { id: "c", needs: ["a"] },
  ];
  const layout = layOut(nodes, { width: 700, nodeHeight: 80, rowGap: 40 });
  expect(nodeTowards("ArrowUp", "b", layout)).toBe("a");
  expect(["b", "c"]).toContain(nodeTowards("ArrowDown", "a", layout));
  expect(nodeTowards("ArrowRight", "b", layout)).toBe("c");
  expect(nodeTowards("ArrowLeft", "b", layout)).toBeNull();
  expect(nodeTowards("Enter", "b", layout)).toBeNull();
});
