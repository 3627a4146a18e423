import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { FakeServer } from "../../testing/fake-server";
import { goodServer, renderApp } from "../../testing/render-app";
import { plotStrings } from "../../ui/strings";
import { byDay, extremes, fadingFirst, figuresOf, isBegun, totalsOf } from "./progress";
import { progressStrings as text } from "./strings-progress";
import { COURSE, REPORT, TODAY } from "./testing/samples";

const PATH = "/study/malay/progress";

function server(): FakeServer {
  return goodServer().answer("GET /api/study/progress?course=malay", REPORT).answer("GET /api/study/courses/malay", COURSE);
}

test("every plot has a name, a sentence and its numbers in a table", async () => {
  renderApp(PATH, server());
  const recall = await screen.findByRole("img", { name: new RegExp(text.recall.name) });
  expect(recall.getAttribute("aria-label")).toContain("95% today, 65%");
  expect(screen.getByRole("table", { name: text.recall.name, hidden: true }).querySelectorAll("tbody tr")).toHaveLength(31);
  expect(screen.getByRole("table", { name: text.load.name, hidden: true }).querySelectorAll("tbody tr")).toHaveLength(30);
  expect(screen.getByText(text.figures.aim(0.9, 8))).toBeTruthy();
});

test("arrow keys read a plot point by point", async () => {
  renderApp(PATH, server());
  const points = await screen.findByRole("slider", { name: plotStrings.points(text.recall.name) });
  points.focus();
  fireEvent.keyDown(points, { key: "ArrowRight" });
  expect(points.getAttribute("aria-valuetext")).toContain("94% remembered");
  fireEvent.keyDown(points, { key: "End" });
  expect(points.getAttribute("aria-valuetext")).toContain("65% remembered");
  fireEvent.keyDown(points, { key: "ArrowDown" });
  expect(points.getAttribute("aria-valuenow")).toBe("30");
});

test("the calendar begins today, goes by days and weeks, and shows minutes as well", async () => {
  const { user } = renderApp(PATH, server());
  const days = await screen.findByRole("slider", { name: plotStrings.points(text.calendar.name.exercises) });
  days.focus();
  expect(days.getAttribute("aria-valuetext")).toContain("2 exercises");
  fireEvent.keyDown(days, { key: "ArrowUp" });
  fireEvent.keyDown(days, { key: "ArrowUp" });
  expect(days.getAttribute("aria-valuetext")).toContain("6 exercises");
  fireEvent.keyDown(days, { key: "ArrowLeft" });
  expect(days.getAttribute("aria-valuetext")).toContain("0 exercises");
  await user.click(screen.getByRole("radio", { name: text.calendar.minutes }));
  const minutes = screen.getByRole("slider", { name: plotStrings.points(text.calendar.name.minutes) });
  expect(minutes.getAttribute("aria-valuetext")).toContain("5 minutes");
});

test("mistakes are listed with how often, and kinds of exercise with how well", async () => {
  renderApp(PATH, server());
  const errors = await screen.findByRole("table", { name: text.errors.caption });
  expect(within(errors).getAllByRole("row")[1]?.textContent).toContain("3 times");
  const kinds = screen.getByRole("table", { name: text.modalities.caption });
  expect(kinds.textContent).toContain("9 exercises, goes best");
  expect(kinds.textContent).toContain("1 exercise");
});

test("a pattern of mistakes is told in words, with what helps against it", async () => {
  const errors = [{ type: "spelling", count: 3, says: "a slip of spelling", practise: "Write the word out three times." }];
  renderApp(PATH, server().answer("GET /api/study/progress?course=malay", { ...REPORT, errors }));
  const table = await screen.findByRole("table", { name: text.errors.caption });
  expect(within(table).getByRole("rowheader").textContent).toBe("A slip of spellingWrite the word out three times.");
});

test("without any exercise the page says what will be there, and how to begin", async () => {
  const fresh = { ...REPORT, calendar: [], recall: [], modalities: [], errors: [] };
  renderApp(PATH, server().answer("GET /api/study/progress?course=malay", fresh));
  expect(await screen.findByText(text.nothing.title)).toBeTruthy();
  expect(screen.queryByRole("slider")).toBeNull();
});

test("progress that cannot be read says why", async () => {
  const broken = server().fail("GET /api/study/progress?course=malay", 404, "There is no course `malay`", "Did you mean `memory`?");
  renderApp(PATH, broken);
  expect((await screen.findByRole("alert")).textContent).toContain("Did you mean");
});

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
