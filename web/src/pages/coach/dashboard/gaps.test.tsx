import { screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import type { FakeServer } from "../../../testing/fake-server";
import { renderApp } from "../../../testing/render-app";
import type { CoachGap } from "../../../wire/generated";
import { useDashboard } from "../state/stores";
import { coachStrings } from "../strings";
import { coachingServer, DASHBOARD } from "../testing/samples";
import { cleanUp } from "../testing/set-up";

const text = coachStrings.dashboard;
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

afterEach(cleanUp);

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
