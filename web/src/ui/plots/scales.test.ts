import { expect, test } from "vitest";

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
