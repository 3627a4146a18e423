import { expect, test } from "vitest";

import { addDays, calendarOf, daysBetween, shadeOf, weekdayOf } from "./calendar-plot";
import { crossings, type GraphNode, layersOf, layOut, type MapLayout } from "./layered-map";
import { bands, labelled, linear, lineThrough, shareTicks, wholeTicks } from "./scales";

test("a straight scale keeps shares, also from high to low", () => {
  const scale = linear([0, 10], [100, 0]);
  expect([scale(0), scale(5), scale(10)]).toEqual([100, 50, 0]);
});

test("a scale without width puts everything in the middle", () => {
  expect(linear([3, 3], [0, 100])(3)).toBe(50);
});

test.each([
  [0, [0, 1]],
  [3, [0, 1, 2, 3]],
  [7, [0, 2, 4, 6, 8]],
  [42, [0, 20, 40, 60]],
  [400, [0, 100, 200, 300, 400]],
])("ticks up to %i are whole and round", (most, ticks) => {
  expect(wholeTicks(most, 4)).toEqual(ticks);
});

test("shares begin at 70% unless something lies below it", () => {
  expect(shareTicks(0.93)).toEqual([0.7, 0.8, 0.9, 1]);
  expect(shareTicks(0.5)).toEqual([0.5, 0.6, 0.7, 0.8, 0.9, 1]);
  expect(shareTicks(0.31)).toEqual([0.2, 0.4, 0.6, 0.8, 1]);
  expect(shareTicks(0)).toEqual([0, 0.2, 0.4, 0.6, 0.8, 1]);
});

test("bars share a width evenly and leave gaps", () => {
  const { at, width } = bands(4, 100, 0.2);
  expect(width).toBeCloseTo(20);
  expect([at(0), at(3)].map(Math.round)).toEqual([3, 78]);
});

test("labels keep their distance", () => {
  expect(labelled(30, 300, 60)).toEqual([0, 6, 12, 18, 24]);
  expect(labelled(3, 300, 60)).toEqual([0, 1, 2]);
  expect(labelled(5, 10, 60)).toEqual([0]);
  expect(labelled(0, 300, 60)).toEqual([]);
});

test("a line goes through its points", () => {
  expect(lineThrough([[0, 1], [2.001, 3.3333]])).toBe("M0 1L2 3.33");
});

test("the weeks end with today and begin with a Monday", () => {
  const { days } = calendarOf({}, "2026-05-06", 3);
  expect(days.map(({ day }) => day).at(0)).toBe("2026-04-20");
  expect(days.map(({ day }) => day).at(-1)).toBe("2026-05-06");
  expect(days).toHaveLength(17);
  expect(days[0]).toMatchObject({ week: 0, weekday: 0 });
  expect(days.at(-1)).toMatchObject({ week: 2, weekday: 2 });
});

test("the busiest day is darkest, and a little is more than nothing", () => {
  const { days, most } = calendarOf({ "2026-05-05": 40, "2026-05-06": 1, "2020-01-01": 900 }, "2026-05-06", 2);
  expect(most).toBe(40);
  expect(days.slice(-3).map(({ shade }) => shade)).toEqual([0, 4, 1]);
  expect(shadeOf(5, 0)).toBe(0);
});

test("months are named above their first week, and never on top of each other", () => {
  const { months } = calendarOf({}, "2026-05-06", 12);
  expect(months.map(({ day }) => day.slice(0, 7))).toEqual(["2026-03", "2026-04", "2026-05"]);
  const weeks = months.map(({ week }) => week);
  expect(weeks.slice(1).every((week, place) => week - (weeks[place] ?? 0) >= 3)).toBe(true);
});

test("days are counted over the end of a month, of winter time and of a leap year", () => {
  expect(addDays("2024-02-28", 2)).toBe("2024-03-01");
  expect(addDays("2026-03-28", 2)).toBe("2026-03-30");
  expect(daysBetween("2026-03-28", "2026-03-30")).toBe(2);
  expect(weekdayOf("2026-05-04")).toBe(0);
});

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
