import { screen, within } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";

import { goodServer, renderApp } from "../../testing/render-app";
import type { StudyCourseSummary, StudyOpenSession, StudyToday } from "../../wire/generated";
import { sessionStrings } from "./session/strings";
import { LOOK, step } from "./session/testing/samples";
import { studyStrings } from "./strings";

const text = studyStrings.today;

beforeAll(async () => {
  await Promise.all([import("./today"), import("./session")]);
});

const OPEN: StudyOpenSession = {
  session: "s1",
  kind: "study",
  step: 4,
  stage: "exercise",
  started: "2026-03-02T10:00:00Z",
  moved: "2026-03-02T10:05:00Z",
  minutes: 25,
  minutesLeft: 19.6,
  title: "Greetings",
  modality: "worksheet",
  done: 1,
  of: 4,
  stale: false,
};

function course(more: Partial<StudyCourseSummary> = {}): StudyCourseSummary {
  return {
    name: "malay",
    title: "Malay",
    description: "Everyday Malay.",
    domain: "language",
    concepts: 16,
    items: 200,
    vocabulary: 100,
    shipped: true,
    begun: true,
    due: 3,
    ready: 2,
    mastered: 4,
    minutes: 25,
    exam: null,
    openSession: null,
    problems: [],
    ...more,
  };
}

function today(courses: StudyCourseSummary[], more: Partial<StudyToday> = {}): StudyToday {
  return {
    today: "2026-03-02",
    courses,
    due: 3,
    streak: 2,
    days: [{ day: "2026-03-02", exercises: 1, minutes: 1 }],
    templates: [],
    provider: "local",
    local: true,
    speaks: false,
    hears: false,
    folder: "/home/me/teaching",
    problems: [],
    ...more,
  };
}

test("whoever comes first is told how it works, and starts with one click", async () => {
  const server = goodServer()
    .answer("GET /api/study", today([course({ begun: false })], { streak: 0, due: 0 }))
    .answer("POST /api/study/sessions", step({ stage: "teach", expects: "go_on", exercise: null, lesson: ["Read this"] }))
    .answer(LOOK, step({ stage: "teach", expects: "go_on", exercise: null, lesson: ["Read this"] }));
  const { user } = renderApp("/study", server);
  await screen.findByRole("heading", { name: text.howHeading });
  expect(screen.getByText(text.fresh)).toBeDefined();
  await user.click(screen.getByRole("button", { name: `${text.start(25)} ${text.about("Malay")}` }));
  await screen.findByText("Read this");
  expect(window.location.pathname).toBe("/study/malay/session");
  expect(screen.getByRole("button", { name: sessionStrings.understood })).toBeDefined();
});

test("a session that waits comes first, and its course does not begin another", async () => {
  renderApp("/study", goodServer().answer("GET /api/study", today([course({ openSession: OPEN })])));
  const link = await screen.findByRole("link", { name: `${text.goOn} ${text.about("Malay")}` });
  expect(link.getAttribute("href")).toBe("/study/malay/session");
  expect(screen.getByText(text.openAt("Greetings"))).toBeDefined();
  expect(screen.queryByRole("button", { name: `${text.start(25)} ${text.about("Malay")}` })).toBeNull();
  expect(screen.getByText(text.due(3))).toBeDefined();
  expect(screen.getByText(text.streak(2))).toBeDefined();
});

test("the last two weeks are a table too", async () => {
  const { user } = renderApp("/study", goodServer().answer("GET /api/study", today([course()])));
  await user.click(await screen.findByText(text.weeksTable));
  const row = screen.getByRole("row", { name: /Mon/ });
  expect(within(row).getAllByRole("cell").map(({ textContent }) => textContent)).toEqual(["1", "1"]);
  expect(screen.getByText("1 minute, 1 exercise")).toBeDefined();
});

test("courses that cannot be read say why", async () => {
  renderApp("/study", goodServer().fail("GET /api/study", 503, "The folder is locked", "Unlock it."));
  expect((await screen.findByRole("alert")).textContent).toContain("Unlock it.");
});
