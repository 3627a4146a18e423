import { screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import type { FakeServer } from "../../../testing/fake-server";
import { renderApp } from "../../../testing/render-app";
import type { CoachGap, CoachSessionSeen } from "../../../wire/generated";
import { useDashboard } from "../state/stores";
import { coachStrings } from "../strings";
import { cleanUp, coachingServer, DASHBOARD } from "../testing/samples";

const text = coachStrings.dashboard;
const SEEN: CoachSessionSeen = {
  session: {
    id: "s1",
    projectDir: "/home/ada/shop",
    issueNumber: 7,
    issueTitle: "Baskets are shared",
    status: "completed",
    startedAt: "2026-03-02T12:00:00Z",
    endedAt: "2026-03-02T13:00:00Z",
  },
  phases: [
    { id: "p1", number: 1, title: "See it fail", description: "", status: "complete", hintLevel: "line", expectedFiles: [] },
    { id: "p2", number: 2, title: "Change it", description: "", status: "pending", hintLevel: "line", expectedFiles: [] },
  ],
  gaps: ["shared defaults"],
};

afterEach(cleanUp);

test("a session that a search leads to is shown with its phases and what it showed", async () => {
  useDashboard.setState({ state: DASHBOARD });
  renderApp("/coach?session=s1", coachingServer().answer("GET /api/coach/sessions/s1", SEEN));
  const part = await screen.findByRole("region", { name: text.found });
  expect(await within(part).findByText("Baskets are shared")).toBeTruthy();
  expect(part.textContent).toContain("Finished");
  const phases = within(part).getAllByRole("listitem");
  expect(phases.map((phase) => phase.textContent)).toEqual(["See it fail · done", "Change it · not begun"]);
  expect(part.textContent).toContain("It showed these gaps: shared defaults");
  expect(within(part).getByRole("link", { name: text.foundClose }).getAttribute("href")).toBe("/coach");
});

test("a session that is not there is said to be unreadable, and the dashboard stays", async () => {
  useDashboard.setState({ state: DASHBOARD });
  renderApp("/coach?session=gone", coachingServer());
  expect(await screen.findByText(text.foundFailed)).toBeTruthy();
  expect(await screen.findByRole("region", { name: text.katas })).toBeTruthy();
});

test("without a session in the address the dashboard shows none", async () => {
  useDashboard.setState({ state: DASHBOARD });
  renderApp("/coach", coachingServer());
  await screen.findByRole("region", { name: text.katas });
  expect(screen.queryByRole("region", { name: text.found })).toBeNull();
});

const OPEN: CoachGap = {
  topic: "shared defaults",
  severity: "high",
  frequency: 2,
  closed: false,
  stage: "novice",
  kataId: "k1",
  sessionId: "s1",
  sessionTitle: "Baskets are shared",
  sessionAt: "2026-03-02T12:00:00Z",
  course: "coach",
  concept: "shared-defaults",
  nextReview: "2026-03-02T12:00:00Z",
  due: true,
  reviews: 1,
};
const CLOSED: CoachGap = { ...OPEN, topic: "loops", concept: "loops", closed: true, due: false, nextReview: "2026-04-01T12:00:00Z" };
const UNPLANNED: CoachGap = { ...OPEN, topic: "recursion", concept: "", due: false, nextReview: null, sessionAt: null };

function server(gaps: CoachGap[]): FakeServer {
  return coachingServer().answer("GET /api/coach/gaps", { gaps });
}

test("a gap shows its stage, its session and its next review, with the way to it in Study", async () => {
  useDashboard.setState({ state: DASHBOARD });
  renderApp("/coach", server([OPEN, CLOSED, UNPLANNED]));
  const part = await screen.findByRole("region", { name: text.gaps });
  const [first, second, third] = within(part).getAllByRole("listitem");
  expect(first?.textContent).toContain("Open · Novice · due in Study now · from “Baskets are shared”");
  expect(second?.textContent).toContain("Closed · Novice · next review on");
  expect(third?.textContent).toContain("not in Study yet");
  const link = within(part).getByRole("link", { name: text.gapInStudyNamed("shared defaults") });
  expect(link.getAttribute("href")).toBe("/study/coach?concept=shared-defaults");
  expect(third?.querySelector("a")).toBeNull();
});

test("the gap that a search leads to is marked, and no other", async () => {
  useDashboard.setState({ state: DASHBOARD });
  renderApp("/coach?gap=loops", server([OPEN, CLOSED]));
  const part = await screen.findByRole("region", { name: text.gaps });
  const marked = within(part)
    .getAllByRole("listitem")
    .filter((row) => row.hasAttribute("aria-current"));
  expect(marked.map((row) => row.querySelector("h3")?.textContent)).toEqual(["loops"]);
});

test("before the first gap the dashboard says nothing about gaps", async () => {
  useDashboard.setState({ state: DASHBOARD });
  renderApp("/coach", server([]));
  await screen.findByRole("region", { name: text.katas });
  expect(screen.queryByRole("region", { name: text.gaps })).toBeNull();
});
