import { expect, test } from "vitest";

import { extremes } from "./practice-sections";
import { byDay, fadingFirst, figuresOf, isBegun, totalsOf } from "./reading";
import { REPORT, TODAY } from "./samples";

test("the figures add up to all concepts", () => {
  expect(figuresOf(REPORT)).toEqual({ mastered: 1, known: 1, learning: 0, toCome: 2, total: 4 });
});

test("totals count the last half year and nothing before it", () => {
  const calendar = [{ day: "2025-01-01", exercises: 90, minutes: 900 }, ...REPORT.calendar];
  expect(totalsOf(calendar, TODAY)).toEqual({ exercises: 8, minutes: 25.599999999999998, days: 2 });
  expect(byDay(calendar, "minutes")[TODAY]).toBe(5.2);
});

test("what fades comes first, and what was never met is left out", () => {
  expect(fadingFirst(REPORT.concepts).map(({ id }) => id)).toEqual(["numbers", "greetings"]);
});

test("best and worst need enough exercises and a difference", () => {
  expect(extremes(REPORT.modalities)).toEqual({ best: "conversation", worst: "worksheet" });
  expect(extremes(REPORT.modalities.slice(0, 1))).toEqual({ best: null, worst: null });
});

test("a course without any exercise is not begun", () => {
  expect(isBegun({ ...REPORT, calendar: [], recall: [] })).toBe(false);
  expect(isBegun(REPORT)).toBe(true);
});
