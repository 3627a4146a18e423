import "./course";

import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { FakeServer } from "../../testing/fake-server";
import { goodServer, renderApp } from "../../testing/render-app";
import { coursesStrings as text } from "./strings-courses";
import { COURSE } from "./testing/samples";

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
