import { QueryClient } from "@tanstack/react-query";
import { screen, within } from "@testing-library/react";
import { beforeAll, expect, test } from "vitest";

import { FakeServer } from "../../testing/fake-server";
import { goodServer, renderApp } from "../../testing/render-app";
import { layOut, nodeTowards } from "../../ui/plots/layered-map";
import type { StudyCourseSummary, StudyOpenSession, StudyToday } from "../../wire/generated";
import { audioAddress, createStudyApi, uploadAddress } from "./api";
import { daysUntil, firstToShow, isDue, lookOf } from "./frame";
import { courseKey, fileKey, PROFILE_KEY, stepKey, takeInStudy, TODAY_KEY } from "./hooks";
import { sessionStrings } from "./session/strings";
import { LOOK, step } from "./session/testing/samples";
import { studyStrings } from "./strings";
import { CONCEPTS } from "./testing/samples";

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

test("news of one course let the other courses be", () => {
  const queries = new QueryClient();
  const keys = [stepKey("a"), courseKey("a"), fileKey("a", "x.md"), TODAY_KEY, PROFILE_KEY, stepKey("b"), courseKey("b")];
  for (const key of keys) queries.setQueryData(key, { text: "x" });
  takeInStudy(queries, { course: "a", session: "s", learner: null, step: 3 });
  expect(keys.map((key) => queries.getQueryState(key)?.isInvalidated)).toEqual([true, true, false, true, true, false, false]);
});

const NOW = new Date(2026, 4, 6, 12);

test("something new that can be begun looks otherwise than what has to wait", () => {
  expect(CONCEPTS.map(lookOf)).toEqual(["mastered", "review", "ready", "new"]);
});

test("the map begins with what is due, then with what can be begun", () => {
  expect(firstToShow(CONCEPTS, NOW)).toBe("numbers");
  expect(firstToShow(CONCEPTS.filter(({ id }) => id !== "numbers"), NOW)).toBe("food");
  expect(firstToShow([], NOW)).toBeNull();
});

test("days until something comes back are counted from midnight to midnight", () => {
  expect(daysUntil(new Date(2026, 4, 6, 23).toISOString(), NOW)).toBe(0);
  expect(daysUntil(new Date(2026, 4, 7, 1).toISOString(), NOW)).toBe(1);
  expect(daysUntil(new Date(2026, 3, 1).toISOString(), NOW)).toBe(0);
  expect(isDue({ due: null }, NOW)).toBe(false);
});

test("arrow keys go along the lines of the map and within a row", () => {
  const nodes = [
    { id: "a", needs: [] },
    { id: "b", needs: ["a"] },
    { id: "c", needs: ["a"] },
  ];
  const layout = layOut(nodes, { width: 700, nodeHeight: 80, rowGap: 40 });
  expect(nodeTowards("ArrowUp", "b", layout)).toBe("a");
  expect(["b", "c"]).toContain(nodeTowards("ArrowDown", "a", layout));
  expect(nodeTowards("ArrowRight", "b", layout)).toBe("c");
  expect(nodeTowards("ArrowLeft", "b", layout)).toBeNull();
  expect(nodeTowards("Enter", "b", layout)).toBeNull();
});

function api(server: FakeServer): ReturnType<typeof createStudyApi> {
  return createStudyApi({ fetch: server.fetch, csrf: () => "token" });
}

test("courses and files reach the server by their names as they are", async () => {
  const server = new FakeServer()
    .answer("GET /api/study/courses/c%2B%2B", {})
    .answer("GET /api/study/session?course=c%2B%2B", {})
    .answer("GET /api/study/session/file?course=c&path=a+b%2Fc.md", {})
    .answer("PUT /api/study/session/file?course=c&path=a+b%2Fc.md", {});
  const study = api(server);
  await study.course("c++");
  await study.session("c++");
  await study.readFile("c", "a b/c.md");
  await study.writeFile("c", "a b/c.md", { text: "x", version: "v1" });
  expect(server.asked.at(-1)?.body).toEqual({ text: "x", version: "v1" });
  expect(audioAddress("c", "1.2")).toBe("/api/study/session/audio?course=c&question=1.2");
  expect(uploadAddress("c", "x/y.png")).toBe("/api/study/session/upload?course=c&path=x%2Fy.png");
});

test("an answer carries the CSRF value and waits for the verdict", async () => {
  const server = new FakeServer().answer("POST /api/study/session/act", { step: 4 });
  expect(await api(server).act({ course: "c", step: 3, act: "answer", text: "x" })).toEqual({ step: 4 });
  expect(server.asked[0]?.headers.get("X-Paige-CSRF")).toBe("token");
  expect(server.asked[0]?.body).toMatchObject({ step: 3, text: "x" });
});

test("a photo goes as it is, with its own type", async () => {
  const server = new FakeServer().answer("POST /api/study/session/upload?course=c&step=2&name=a.png", {});
  await api(server).upload({ course: "c", step: 2, name: "a.png", file: new Blob(["x"], { type: "image/png" }) });
  expect(server.asked[0]?.headers.get("Content-Type")).toBe("image/png");
});

test("running code is stopped with the CSRF value, for oneself", async () => {
  const server = new FakeServer().answer("POST /api/study/session/run/stop", { stopped: 1 });
  expect(await api(server).stopRun()).toEqual({ stopped: 1 });
  expect(server.asked[0]?.headers.get("X-Paige-CSRF")).toBe("token");
});

test("what goes wrong keeps its words", async () => {
  const question = "POST /api/study/session/run";
  await expect(api(new FakeServer().fail(question, 503, "No sandbox", "Install one.")).run("c")).rejects.toMatchObject({
    message: "No sandbox",
    hint: "Install one.",
    status: 503,
  });
  await expect(api(new FakeServer().lose(question)).run("c")).rejects.toMatchObject({ status: null });
  await expect(api(new FakeServer().answer(question, "<html>", 502)).run("c")).rejects.toMatchObject({ status: 502 });
});
