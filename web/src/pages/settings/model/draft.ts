/** What somebody has typed but not saved, and what it would change. */

import type { SettingEntry, SettingsCheck, SettingsSeen } from "../../../wire/generated";

export type Provider = SettingsSeen["provider"];
export type Key = "provider" | "anthropic_api_key" | "openai_api_key" | "base_url" | "model_haiku" | "model_sonnet" | "fallback";

/** What is not in it is as it was; null removes a key that was kept. */
export type Draft = Partial<Record<Key, string | null>>;

export const PROVIDERS = ["anthropic", "openai", "openai-compatible", "local"] as const satisfies Provider[];

export function entryOf(seen: SettingsSeen, key: Key): SettingEntry | undefined {
  return seen.entries.find((entry) => entry.key === key);
}

/** What stands in a field: what was typed, else what is saved. A kept secret is never in its field. */
export function textOf(seen: SettingsSeen, draft: Draft, key: Key): string {
  const typed = draft[key];
  if (typed !== undefined) return typed ?? "";
  const entry = entryOf(seen, key);
  return entry === undefined || entry.kind === "secret" ? "" : entry.value;
}

/** The settings that would be written; null removes one. */
export function changesOf(seen: SettingsSeen, draft: Draft): Record<string, string | null> {
  const changes: Record<string, string | null> = {};
  for (const [key, typed] of Object.entries(draft)) {
    const entry = seen.entries.find((each) => each.key === key);
    if (entry === undefined) continue;
    const value = typed?.trim() ?? "";
    if (entry.kind === "secret") {
      if (value !== "") changes[key] = value;
      else if (typed === null && entry.isSet) changes[key] = null;
    } else if (value !== entry.value) changes[key] = value === "" ? null : value;
  }
  return changes;
}

/** Who would answer with these settings. */
export function providerOf(seen: SettingsSeen, draft: Draft): Provider {
  const chosen = PROVIDERS.find((name) => name === textOf(seen, draft, "provider"));
  if (chosen !== undefined) return chosen;
  if (hasKey(seen, draft, "anthropic_api_key")) return "anthropic";
  if (!hasKey(seen, draft, "openai_api_key")) return "local";
  return textOf(seen, draft, "base_url") === "" ? "openai" : "openai-compatible";
}

export function keyNameOf(provider: Provider): "anthropic_api_key" | "openai_api_key" | null {
  if (provider === "local") return null;
  return provider === "anthropic" ? "anthropic_api_key" : "openai_api_key";
}

/** What is asked to be checked: what was typed, and for the rest what is saved. */
export function checkOf(seen: SettingsSeen, draft: Draft): SettingsCheck {
  const provider = providerOf(seen, draft);
  const keyName = keyNameOf(provider);
  const address = changesOf(seen, draft).base_url;
  return {
    provider,
    key: (keyName === null ? null : draft[keyName]?.trim()) ?? null,
    baseUrl: address === undefined ? null : (address ?? ""),
    model: textOf(seen, draft, "model_haiku").trim() || null,
    tier: "haiku",
  };
}

function hasKey(seen: SettingsSeen, draft: Draft, key: Key): boolean {
  const typed = draft[key];
  if (typed === undefined || typed === "") return entryOf(seen, key)?.isSet ?? false;
  return typed !== null;
}
