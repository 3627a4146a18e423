import { render, screen, waitFor, within } from "@testing-library/react";
import userEvent from "@testing-library/user-event";
import { beforeEach, expect, test, vi } from "vitest";

import { STORED_AS } from "../../locale/languages";
import { tourStrings } from "../../shell/strings-tour";
import { useTour } from "../../shell/tour";
import { goodServer, renderApp } from "../../testing/render-app";
import { LanguageChoice, languageStrings, settingsDataStrings } from "./data-page";
import { changesOf, checkOf, providerOf, textOf } from "./model-page";
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

test("a language is kept and the page loaded again; the browser can decide again", async () => {
  const reload = vi.fn();
  render(<LanguageChoice reload={reload} />);
  const choice = screen.getByRole("combobox", { name: languageStrings.label });
  await userEvent.selectOptions(choice, "fr");
  expect(localStorage.getItem(STORED_AS)).toBe("fr");
  await userEvent.selectOptions(choice, "");
  expect(localStorage.getItem(STORED_AS)).toBeNull();
  expect(reload).toHaveBeenCalledTimes(2);
});

const KEPT = settingsWith({
  provider: { value: "anthropic", isSet: true },
  anthropic_api_key: { value: "••••wXyZ", isSet: true },
});

test("what was not typed is not written", () => {
  expect(changesOf(KEPT, {})).toEqual({});
  expect(changesOf(KEPT, { provider: "anthropic", anthropic_api_key: "", base_url: "  " })).toEqual({});
});

test("an emptied field removes the setting, an emptied key field keeps the key", () => {
  const seen = settingsWith({ base_url: { value: "http://a", isSet: true }, anthropic_api_key: { value: "••••", isSet: true } });
  expect(changesOf(seen, { base_url: "", anthropic_api_key: "" })).toEqual({ base_url: null });
  expect(changesOf(seen, { anthropic_api_key: null })).toEqual({ anthropic_api_key: null });
});

test("a kept key never stands in its field", () => {
  expect(textOf(KEPT, {}, "anthropic_api_key")).toBe("");
  expect(textOf(KEPT, { anthropic_api_key: "new" }, "anthropic_api_key")).toBe("new");
});

test("without a choice the keys decide, those that are typed too", () => {
  expect(providerOf(SETTINGS, {})).toBe("local");
  expect(providerOf(SETTINGS, { openai_api_key: "k" })).toBe("openai");
  expect(providerOf(SETTINGS, { openai_api_key: "k", base_url: "http://a" })).toBe("openai-compatible");
  expect(providerOf(SETTINGS, { openai_api_key: "k", anthropic_api_key: "k" })).toBe("anthropic");
  expect(providerOf(KEPT, { provider: "", anthropic_api_key: null })).toBe("local");
});

test("a check sends what was typed and leaves the rest to what is saved", () => {
  expect(checkOf(KEPT, {})).toEqual({ provider: "anthropic", key: null, baseUrl: null, model: null, tier: "haiku" });
  expect(checkOf(KEPT, { anthropic_api_key: " k ", base_url: "http://a", model_haiku: "small" })).toEqual({
    provider: "anthropic",
    key: "k",
    baseUrl: "http://a",
    model: "small",
    tier: "haiku",
  });
});
