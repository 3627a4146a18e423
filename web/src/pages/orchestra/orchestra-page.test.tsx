import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { renderApp } from "../../testing/render-app";
import { learningServer, METRICS } from "../guard/testing/samples";
import { orchestraStrings as text } from "./orchestra-page";
import { BOARD, feature, HANDOFF, HANDOFFS } from "./testing/samples";

test("every feature stands in the column of its state, with what happens to it", async () => {
  renderApp("/guard/orchestra", learningServer());
  const coding = await screen.findByRole("region", { name: /Coding/ });
  expect(within(coding).getByRole("article").textContent).toContain("attempt 2");
  const blocked = screen.getByRole("region", { name: /Blocked/ });
  expect(blocked.textContent).toContain("tests were missing");
  expect(screen.getByText("tester-agent", { selector: "code" })).toBeTruthy();
  expect(screen.getByText(text.figures.veto(0.25))).toBeTruthy();
});

test("a feature that moves on is seen in its new column", async () => {
  const { services, server } = renderApp("/guard/orchestra", learningServer());
  await screen.findByRole("region", { name: /Coding/ });
  server.answer("GET /api/orchestra", { ...BOARD, features: [feature("F2", "testing")] });
  await services.queries.invalidateQueries();
  const testing = screen.getByRole("region", { name: /Testing/ });
  expect(await within(testing).findByText("Feature F2")).toBeTruthy();
});

test("before it plays it says what to type", async () => {
  renderApp("/guard/orchestra", learningServer().answer("GET /api/orchestra", { ...BOARD, begun: false, features: [] }));
  expect(await screen.findByText("paige orchestra run")).toBeTruthy();
});

test("handoffs show what was refused and why, and are narrowed by feature", async () => {
  const server = learningServer().answer(`${HANDOFFS}&feature=F1`, { handoffs: [{ ...HANDOFF, event: "returned" }], total: 1 });
  const { user } = renderApp("/guard/orchestra", server);
  const log = await screen.findByRole("region", { name: text.handoffs.heading });
  expect(await within(log).findByText(text.handoffs.events.refused)).toBeTruthy();
  expect(log.textContent).toContain("does not exist");
  expect(log.textContent).toContain("tests_pass: true");
  await user.selectOptions(within(log).getByLabelText(text.handoffs.feature), "F1");
  expect(await within(log).findByText(text.handoffs.events.returned)).toBeTruthy();
});

test("metrics say before and after, in words and as a table", async () => {
  renderApp("/guard/orchestra", learningServer());
  const part = await screen.findByRole("region", { name: text.metrics.heading });
  expect(await within(part).findByText(`${text.metrics.verdicts.better}, ${text.metrics.met}`)).toBeTruthy();
  expect(within(part).getByText(text.metrics.verdicts.worse)).toBeTruthy();
  expect(within(part).getByText(text.metrics.verdicts.unknown)).toBeTruthy();
  expect(within(part).getAllByRole("table", { hidden: true })).toHaveLength(METRICS.metrics.length);
});

test("what cannot be read says so", async () => {
  renderApp("/guard/orchestra", learningServer().fail("GET /api/orchestra", 503, "The list of features is damaged"));
  expect((await screen.findByRole("alert")).textContent).toContain("damaged");
});
