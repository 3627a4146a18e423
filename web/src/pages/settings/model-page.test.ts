import { expect, test } from "vitest";

import { changesOf, checkOf, providerOf, textOf } from "./model-page";
import { SETTINGS, settingsWith } from "./testing/samples";

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
