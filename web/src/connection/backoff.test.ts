import { expect, test } from "vitest";

import { retryDelay } from "./backoff";

test("the first retry comes after half a second, whatever the dice say", () => {
  expect(retryDelay(0, 0)).toBe(500);
  expect(retryDelay(0, 0.999)).toBe(500);
});

test("the wait doubles and stops growing at fifteen seconds", () => {
  expect([1, 2, 3, 4, 5, 50].map((attempt) => retryDelay(attempt, 1))).toEqual([
    1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
  ]);
});

test("the dice move the wait by up to half of it", () => {
  expect(retryDelay(4, 0)).toBe(4_000);
  expect(retryDelay(4, 0.5)).toBe(6_000);
});
