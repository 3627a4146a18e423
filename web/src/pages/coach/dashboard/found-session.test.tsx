import { screen, within } from "@testing-library/react";
import { afterEach, expect, test } from "vitest";

import { renderApp } from "../../../testing/render-app";
import type { CoachSessionSeen } from "../../../wire/generated";
import { useDashboard } from "../state/stores";
import { coachStrings } from "../strings";
import { coachingServer, DASHBOARD } from "../testing/samples";
import { cleanUp } from "../testing/set-up";

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
