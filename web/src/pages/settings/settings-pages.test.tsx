import { screen, waitFor, within } from "@testing-library/react";
import { beforeEach, expect, test } from "vitest";

import { tourStrings } from "../../shell/strings-tour";
import { useTour } from "../../shell/tour";
import { goodServer, renderApp } from "../../testing/render-app";
import { settingsDataStrings } from "./data-page";
import { settingsStrings } from "./strings";
import { SAMPLE, SETTINGS, settingsWith } from "./testing/samples";

const text = settingsStrings;

beforeEach(() => {
  useTour.setState({ step: null, arrived: null, hasBegun: false });
});

test("a key is sent and never shown again", async () => {
  const server = goodServer().answer("GET /api/settings", SETTINGS);
  const kept = settingsWith({ anthropic_api_key: { value: "••••wXyZ", isSet: true, waiting: true } }, { version: "2" });
  server.answer("PATCH /api/settings", kept);
  const { user } = renderApp("/settings", server);
  await user.click(await screen.findByRole("radio", { name: text.provider.names.anthropic }));
  await user.type(screen.getByLabelText(text.key.label("Anthropic")), "sk-secret");
  await user.click(screen.getByRole("button", { name: text.save }));
  await screen.findByText(text.waiting.title);
  expect(server.asked.find(({ method }) => method === "PATCH")?.body).toEqual({
    version: "absent",
    values: { provider: "anthropic", anthropic_api_key: "sk-secret" },
  });
  expect(document.body.innerHTML).not.toContain("sk-secret");
});

test("Paige is started again, and the page waits until it is another one that answers", async () => {
  const server = goodServer().answer("GET /api/settings", settingsWith({ provider: { waiting: true } }));
  server.answer("POST /api/settings/restart", { boot: "first" });
  const { user } = renderApp("/settings", server);
  const button = await screen.findByRole("button", { name: text.waiting.restart });
  server.lose("GET /api/settings");
  await user.click(button);
  await screen.findByText(text.waiting.restarting);
  server.answer("GET /api/settings", { ...SETTINGS, boot: "second" });
  expect(await screen.findByText(text.waiting.done)).toBeTruthy();
});

test("somebody who may only look can change nothing", async () => {
  const server = goodServer().answer("GET /api/settings", { ...SETTINGS, mayChange: false });
  renderApp("/settings", server);
  await screen.findByText(text.readOnly);
  for (const radio of screen.getAllByRole("radio")) expect(radio.closest("fieldset[disabled]")).not.toBeNull();
});

test("the sample that is in use can be left, not removed", async () => {
  const server = goodServer().answer("GET /api/settings", SETTINGS);
  server.answer("GET /api/settings/sample", SAMPLE).answer("GET /api/settings/data", { kept: [], free: 5e9 });
  renderApp("/settings/data", server);
  await screen.findByRole("button", { name: settingsDataStrings.sample.leave });
  expect(screen.queryByRole("button", { name: settingsDataStrings.sample.remove })).toBeNull();
});

test("Home asks somebody new how to begin, once", async () => {
  const server = goodServer().answer("GET /api/settings", { ...SETTINGS, firstRun: true });
  const { user } = renderApp("/", server);
  await user.click(await screen.findByRole("button", { name: tourStrings.first.hide }));
  expect(screen.queryByText(tourStrings.first.heading)).toBeNull();
  expect(useTour.getState().hasBegun).toBe(true);
});

test("the tour goes on with Enter and back, ends with Escape, and leaves the page usable", async () => {
  const server = goodServer().answer("GET /api/settings", { ...SETTINGS, firstRun: true });
  const { user } = renderApp("/", server);
  await user.click(await screen.findByRole("button", { name: tourStrings.first.none.action }));
  const card = await screen.findByRole("complementary");
  await waitFor(() => {
    expect(document.activeElement?.textContent).toBe(tourStrings.next);
  });
  expect(window.location.pathname).toBe("/plan");
  await user.keyboard("{Enter}");
  await waitFor(() => {
    expect(window.location.pathname).toBe("/study");
  });
  await user.click(within(card).getByRole("button", { name: tourStrings.back }));
  expect(useTour.getState().step).toBe(0);
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("complementary")).toBeNull();
});
