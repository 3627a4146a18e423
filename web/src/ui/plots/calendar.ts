/** The days of some weeks as a grid: a column a week, a row a weekday, Monday first. */

const DAY_MS = 86_400_000;
export const SHADES = 4;

export interface CalendarDay {
  /** As 2026-05-01. */
  day: string;
  week: number;
  weekday: number;
  value: number;
  /** From 0, nothing, to `SHADES`, the most there was on a day. */
  shade: number;
}

export interface CalendarMonth {
  week: number;
  /** Its first day that is shown. */
  day: string;
}

export interface Calendar {
  days: CalendarDay[];
  months: CalendarMonth[];
  most: number;
}

/** The weeks that end with the one of `today`; days to come are left out. */
export function calendarOf(values: Readonly<Record<string, number>>, today: string, weeks: number): Calendar {
  const first = addDays(today, -weekdayOf(today) - 7 * (weeks - 1));
  const count = 7 * (weeks - 1) + weekdayOf(today) + 1;
  const names = Array.from({ length: count }, (_, place) => addDays(first, place));
  const most = Math.max(0, ...names.map((day) => values[day] ?? 0));
  const days = names.map((day, place) => {
    const value = values[day] ?? 0;
    return { day, week: Math.floor(place / 7), weekday: place % 7, value, shade: shadeOf(value, most) };
  });
  return { days, months: monthsOf(days), most };
}

/** Rounded up, so that anything at all is seen and the busiest day is darkest. */
export function shadeOf(value: number, most: number): number {
  if (value <= 0 || most <= 0) return 0;
  return Math.min(Math.ceil((value / most) * SHADES), SHADES);
}

/** The months above the weeks in which they begin; the first only if the next leaves it room. */
function monthsOf(days: readonly CalendarDay[]): CalendarMonth[] {
  const found: CalendarMonth[] = [];
  for (const { day, week, weekday } of days) {
    if (weekday !== 0) continue;
    const previous = found.at(-1);
    if (previous?.day.slice(0, 7) === day.slice(0, 7)) continue;
    if (previous !== undefined && week - previous.week < 3) found.pop();
    found.push({ week, day });
  }
  return found;
}

/** Monday is 0. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days lie between two; negative when the second is the earlier one. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}
