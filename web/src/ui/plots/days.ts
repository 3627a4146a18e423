/** Days such as 2026-05-01, as people of this place write them. They belong to no time zone. */

import { locale } from "../../locale/words";

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
