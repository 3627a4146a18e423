import { expect, test } from "vitest";

import { between, showCost, showMoney, showTime } from "./amounts";

test.each([
  [-5, "0 µs"],
  [999, "999 µs"],
  [1_500, "2 ms"],
  [2_500_000, "2.5 s"],
  [61_000_000, "1 min 1 s"],
  [7_260_000_000, "2 h 1 min"],
  [7 * 86_400_000_000, "7 d 0 h"],
])("%i microseconds are %s", (us, shown) => {
  expect(showTime(us)).toBe(shown);
});

test("a small sum keeps digits that mean something", () => {
  expect([0, 12.5, 0.0081, 0.000042].map(showMoney)).toEqual(["$0.00", "$12.50", "$0.0081", "$0.000042"]);
});

test("what nobody knows is not called nothing", () => {
  expect(showCost(null)).toBe("price unknown");
  expect(showCost(0)).toBe("$0.00");
  expect(showCost(0, true)).toBe("price unknown");
  expect(showCost(0.5, true)).toBe("over $0.50");
});

test("a clock that was put back does not make time negative", () => {
  expect(between("2026-03-02T12:00:01Z", "2026-03-02T12:00:00Z")).toBe(0);
  expect(between("2026-03-02T12:00:00Z", "2026-03-02T12:00:01.5Z")).toBe(1_500_000);
});
