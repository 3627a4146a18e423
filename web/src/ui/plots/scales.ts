/** Where values lie on a plot: pure, so that every plot can be reckoned without a browser. */

import { locale } from "../../locale/words";

interface Scale {
  (value: number): number;
  readonly from: readonly [number, number];
  readonly to: readonly [number, number];
}

/** A straight scale; a domain without width puts everything in the middle. */
export function linear(from: readonly [number, number], to: readonly [number, number]): Scale {
  const [low, high] = from;
  const [start, end] = to;
  const at = (value: number): number =>
    high === low ? (start + end) / 2 : start + ((value - low) / (high - low)) * (end - start);
  return Object.assign(at, { from, to });
}

/** Round numbers from nothing to at least `most`, about `count` of them, never parts of one. */
export function wholeTicks(most: number, count: number): number[] {
  const step = wholeStep(Math.max(most, 1) / Math.max(count, 1));
  const last = Math.ceil(Math.max(most, 1) / step) * step;
  return range(0, last / step).map((number) => number * step);
}

function wholeStep(wanted: number): number {
  if (wanted <= 1) return 1;
  const power = 10 ** Math.floor(Math.log10(wanted));
  const factor = [1, 2, 5, 10].find((each) => each * power >= wanted) ?? 10;
  return factor * power;
}

/**
 * Shares for an axis that ends at 1: from the ten percent below the lowest value, and never from above
 * 70%, so that a small loss does not look like a fall.
 */
export function shareTicks(lowest: number): number[] {
  const first = Math.max(0, Math.min(7, Math.floor(lowest * 10 + 1e-9)));
  const step = first < 5 ? 2 : 1;
  const even = first - (step === 2 ? first % 2 : 0);
  return range(0, Math.round((10 - even) / step)).map((number) => (even + number * step) / 10);
}

/** The band at a place between `left` and `left + width`. */
export function bandAt(x: number, left: number, width: number, count: number): number {
  return Math.min(Math.max(Math.floor(((x - left) / width) * count), 0), count - 1);
}

/** The bars of a row: where each begins and how wide it is. */
export function bands(count: number, width: number, gap: number): { at: (place: number) => number; width: number } {
  const step = count === 0 ? width : width / count;
  const wide = Math.max(step * (1 - gap), 1);
  return { at: (place) => place * step + (step - wide) / 2, width: wide };
}

/** Which places of a row get a label, so that no two labels touch: the first, then every so many. */
export function labelled(count: number, width: number, labelWidth: number): number[] {
  if (count === 0) return [];
  const most = Math.max(Math.floor(width / labelWidth), 1);
  const every = Math.ceil(count / most);
  return range(0, count - 1).filter((place) => place % every === 0);
}

/** The line through some points, as a path. */
export function lineThrough(points: readonly (readonly [number, number])[]): string {
  return points.map(([x, y], place) => `${place === 0 ? "M" : "L"}${short(x)} ${short(y)}`).join("");
}

export function short(value: number): string {
  return String(Math.round(value * 100) / 100);
}

/** Whole numbers from one to another, both included. */
export function range(first: number, last: number): number[] {
  return Array.from({ length: Math.max(last - first + 1, 0) }, (_, place) => first + place);
}

// Days such as 2026-05-01, as people of this place write them. They belong to no time zone.

const SHORT = new Intl.DateTimeFormat(locale(), { day: "numeric", month: "short", timeZone: "UTC" });
const LONG = new Intl.DateTimeFormat(locale(), { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" });
const FULL = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" });
const MONTH = new Intl.DateTimeFormat(locale(), { month: "short", timeZone: "UTC" });
const WEEKDAY = new Intl.DateTimeFormat(locale(), { weekday: "long", timeZone: "UTC" });
const A_MONDAY = "2024-01-01";

export function shortDay(day: string): string {
  return SHORT.format(read(day));
}

export function longDay(day: string): string {
  return LONG.format(read(day));
}

export function fullDay(day: string): string {
  return FULL.format(read(day));
}

export function monthName(day: string): string {
  return MONTH.format(read(day));
}

/** Monday is 0. */
export function weekdayName(weekday: number): string {
  return WEEKDAY.format(Date.parse(`${A_MONDAY}T00:00:00Z`) + weekday * 86_400_000);
}

function read(day: string): Date {
  return new Date(`${day.slice(0, 10)}T00:00:00Z`);
}
