import { expect, test } from "vitest";

import { addDays, calendarOf, daysBetween, shadeOf, weekdayOf } from "./calendar-plot";

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
