import { screen, waitFor } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { renderApp } from "../../testing/render-app";
import type { PlanProposal } from "../../wire/generated";
import { planStrings } from "./strings";
import { planningServer } from "./testing/samples";
import { cleanUp, makeWide } from "./testing/set-up";

const text = planStrings.proposals;
const PROPOSAL: PlanProposal = {
  key: "r1:p1",
  scope: "class",
  classId: "3B",
  path: "classes/3B/MEMORY.md",
  text: "Short starters work",
  session: "s1",
  proposedAt: "2026-03-01T10:00:00Z",
  asked: false,
};
const DECIDE = "POST /api/plan/proposals/r1%3Ap1";

beforeEach(makeWide);
afterEach(cleanUp);

test.each([
  [text.confirm, { decision: "confirmed" }, text.confirmed],
  [text.dismiss, { decision: "dismissed" }, text.dismissed],
])("what waits to be remembered is decided with: %s", async (name, body, notice) => {
  const server = planningServer().answer("GET /api/plan/proposals", [PROPOSAL]).answer(DECIDE, PROPOSAL);
  const { user } = renderApp("/plan", server);
  expect(await screen.findByText(text.class("3B"))).toBeTruthy();
  server.answer("GET /api/plan/proposals", []);
  await user.click(screen.getByRole("button", { name }));
  expect(await screen.findByText(notice)).toBeTruthy();
  await waitFor(() => {
    expect(screen.queryByText(PROPOSAL.text)).toBeNull();
  });
  expect(server.asked.find(({ method }) => method === "POST")?.body).toEqual(body);
});

test("other words are kept instead, and a refusal says why", async () => {
  const server = planningServer().answer("GET /api/plan/proposals", [{ ...PROPOSAL, classId: null, scope: "teacher" }]);
  const { user } = renderApp("/plan", server.fail(DECIDE, 403, "This names somebody", "Leave the name out."));
  await user.click(await screen.findByRole("button", { name: text.edit }));
  await user.type(screen.getByLabelText(text.words), " for Max");
  await user.click(screen.getByRole("button", { name: text.save }));
  expect((await screen.findByRole("alert")).textContent).toContain("Leave the name out.");
  expect(server.asked.find(({ method }) => method === "POST")?.body).toEqual({ decision: "edited", text: "Short starters work for Max" });
  await user.click(screen.getByRole("button", { name: text.cancel }));
  expect(screen.getByRole("button", { name: text.confirm })).toBeTruthy();
});

test("what a run asks about now is answered there", async () => {
  const { user } = renderApp("/plan", planningServer().answer("GET /api/plan/proposals", [{ ...PROPOSAL, asked: true }]));
  await user.click(await screen.findByRole("button", { name: text.toSession }));
  expect(window.location.search).toContain("session=s1");
});
