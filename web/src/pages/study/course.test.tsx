import "./course";

import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { FakeServer } from "../../testing/fake-server";
import { goodServer, renderApp } from "../../testing/render-app";
import { kindOf, MOST_BYTES, refusalOf } from "./courses";
import { coursesStrings as text } from "./strings-courses";
import { COURSE, STUDY_TODAY, SUMMARY } from "./testing/samples";

function server(): FakeServer {
  return goodServer().answer("GET /api/study/courses/malay", COURSE);
}

test("the map has a button for every concept that says its status in words", async () => {
  const { user } = renderApp("/study/malay", server());
  const map = await screen.findByRole("group", { name: text.map.name });
  const nodes = within(map).getAllByRole("button");
  expect(nodes.map((node) => node.textContent)).toEqual([
    "GreetingsMastered97%",
    "NumbersKnowndue",
    "Food and drinkReady",
    "Days and timeNot begun",
  ]);
  const detail = screen.getByRole("complementary", { name: text.map.one });
  expect(within(detail).getByRole("heading").textContent).toBe("Numbers");
  await user.click(within(detail).getByRole("button", { name: "Food and drink" }));
  expect(within(detail).getByRole("heading").textContent).toBe("Food and drink");
  expect(nodes[2]?.getAttribute("aria-pressed")).toBe("true");
});

test("arrow keys lead along the lines of the map", async () => {
  const { user } = renderApp("/study/malay", server());
  (await screen.findByRole("button", { name: /^Numbers/ })).focus();
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement?.textContent).toContain("Food and drink");
  await user.keyboard("{ArrowUp}{ArrowUp}");
  expect(document.activeElement?.textContent).toContain("Greetings");
});

test("problems in the files of a course name file, line and fix", async () => {
  renderApp("/study/malay", server());
  const problems = await screen.findByRole("region", { name: text.problem.heading(1) });
  expect(problems.textContent).toContain("courses/malay/concepts.json line 12");
  expect(problems.textContent).toContain("Take it out.");
});

test("a quiz on one concept asks the server for exactly that", async () => {
  const { user, server: asked } = renderApp("/study/malay", server());
  await user.click(await screen.findByRole("button", { name: text.map.quiz }));
  const start = asked.asked.find(({ path }) => path === "/api/study/sessions");
  expect(start?.body).toMatchObject({ course: "malay", kind: "quiz", quiz: { concepts: ["numbers"] } });
});

test("a concept of the coach's course says which session it came from and what became of the gap", async () => {
  const concept = { ...COURSE.concepts[0], id: "shared-defaults", title: "shared defaults" };
  const course = { ...COURSE, name: "coach", concepts: [concept] };
  const gap = {
    topic: "shared defaults",
    severity: "high",
    frequency: 1,
    closed: true,
    stage: "advanced_beginner",
    kataId: "k1",
    sessionId: "s1",
    sessionTitle: "Baskets are shared",
    sessionAt: "2026-03-02T12:00:00Z",
    course: "coach",
    concept: "shared-defaults",
    nextReview: "2026-03-05T12:00:00Z",
    due: false,
    reviews: 2,
  };
  const answers = goodServer().answer("GET /api/study/courses/coach", course).answer("GET /api/coach/gaps", { gaps: [gap] });
  renderApp("/study/coach?concept=shared-defaults", answers);
  const link = await screen.findByRole("link", { name: /coaching on “Baskets are shared”/ });
  expect(link.getAttribute("href")).toBe("/coach");
  expect(screen.getByText(text.map.gapClosed)).toBeTruthy();
});

test("a course of one's own asks nothing about coaching", async () => {
  const { server: asked } = renderApp("/study/malay", server());
  await screen.findByRole("group", { name: text.map.name });
  expect(asked.asked.some(({ path }) => path === "/api/coach/gaps")).toBe(false);
});

const IMPORT = "POST /api/study/import?kind=csv&name=&file=words.csv";

function serverOfCourses(): FakeServer {
  return goodServer().answer("GET /api/study", STUDY_TODAY);
}

test("a file is told by its ending, and too large or strange ones are refused", () => {
  expect(["a.apkg", "B.CSV", "c.tsv", "d.zip", "e.pdf", "f"].map(kindOf)).toEqual(["anki", "csv", "csv", "exercism", null, null]);
  expect(refusalOf({ name: "e.pdf", size: 1 })?.message).toContain("e.pdf");
  expect(refusalOf({ name: "a.csv", size: MOST_BYTES + 1 })?.message).toContain("64.0 MB");
  expect(refusalOf({ name: "a.csv", size: 10 })).toBeNull();
});

test("courses that were begun come first, with how far one is", async () => {
  renderApp("/study/courses", serverOfCourses());
  const shelf = await screen.findByRole("region", { name: text.yours });
  expect(within(shelf).getByRole("link").textContent).toContain("1 of 4 mastered1 due");
  expect(within(screen.getByRole("region", { name: text.others })).getByRole("link").textContent).toContain("Memory");
});

test("a dropped table is imported and what came of it is told", async () => {
  const done = { course: SUMMARY, added: 12, there: 0, reviewed: 0, differing: [], leftOut: ["line 3: no back"], remarks: [] };
  const { user, server: asked } = renderApp("/study/courses", serverOfCourses().answer(IMPORT, done));
  const button = await screen.findByRole("button", { name: text.import.choose });
  const file = new File(["front,back\n"], "words.csv", { type: "text/csv" });
  fireEvent.drop(button, { dataTransfer: { files: [file] } });
  await user.click(screen.getByRole("button", { name: text.import.submit }));
  expect(await screen.findByText(text.import.added(12, 0))).toBeTruthy();
  expect(screen.getByText("line 3: no back")).toBeTruthy();
  expect(asked.asked.some(({ method, path }) => `${method} ${path}` === IMPORT)).toBe(true);
});

test("an import that fails says why, and the file may be mended and tried again", async () => {
  const { user } = renderApp("/study/courses", serverOfCourses().fail(IMPORT, 400, "Line 4 has no back", "Add a second column."));
  const input = await screen.findByLabelText(text.import.choose, { selector: "input" });
  await user.upload(input, new File(["x"], "words.csv"));
  await user.click(screen.getByRole("button", { name: text.import.submit }));
  expect((await screen.findByRole("alert")).textContent).toContain("Line 4 has no back");
});

test("a name that is taken is told beside the form of a new course", async () => {
  const taken = serverOfCourses().fail("POST /api/study/courses", 409, "There is a course `malay` already", "Give it another name.");
  const { user, server: asked } = renderApp("/study/courses", taken);
  await user.click(await screen.findByRole("radio", { name: "A language" }));
  await user.type(screen.getByLabelText(text.make.name), "malay");
  await user.click(screen.getByRole("button", { name: text.make.submit }));
  expect((await screen.findByRole("alert")).textContent).toContain("another name");
  expect(asked.asked.at(-1)?.body).toEqual({ name: "malay", template: "language", title: null });
});
