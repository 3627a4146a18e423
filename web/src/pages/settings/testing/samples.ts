/** Settings as the server tells them, for tests. */

import type { SettingEntry, SettingsSample, SettingsSeen } from "../../../wire/generated";

function entry(key: string, more: Partial<SettingEntry> = {}): SettingEntry {
  return {
    key,
    variable: `PAIGE_${key.toUpperCase()}`,
    kind: key.endsWith("_key") ? "secret" : "text",
    meaning: "",
    choices: [],
    value: "",
    isSet: false,
    origin: "default",
    place: "",
    editable: true,
    waiting: false,
    ...more,
  };
}

const KEYS = ["provider", "anthropic_api_key", "openai_api_key", "base_url", "model_haiku", "model_sonnet", "fallback"];

export const SETTINGS: SettingsSeen = {
  entries: KEYS.map((key) => entry(key)),
  passcode: { isSet: false, inForce: false, waiting: false, origin: "default", place: "", editable: true, removable: true },
  file: "paige.toml",
  version: "absent",
  exposed: false,
  provider: "local",
  running: "local",
  defaults: { anthropic: { haiku: "claude-haiku", sonnet: "claude-sonnet" } },
  known: { anthropic: ["claude-haiku", "claude-sonnet"] },
  mayChange: true,
  canRestart: true,
  boot: "first",
  firstRun: false,
};

/** The settings with some entries otherwise. */
export function settingsWith(entries: Record<string, Partial<SettingEntry>>, more: Partial<SettingsSeen> = {}): SettingsSeen {
  return { ...SETTINGS, entries: SETTINGS.entries.map((each) => ({ ...each, ...entries[each.key] })), ...more };
}

export const SAMPLE: SettingsSample = {
  files: ["teacher.md"],
  allFiles: 1,
  changed: [],
  mixed: false,
  courses: [{ name: "how-memory-works", title: "How memory works" }],
  project: "demo",
  projectThere: true,
  projectChanged: [],
  projectInUse: true,
};
