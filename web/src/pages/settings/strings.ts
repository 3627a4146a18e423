/** The words of the settings pages. */

import { locale, words } from "../../locale/words";
import type { SettingEntry, SettingsChecked, SettingsSeen } from "../../wire/generated";

type Provider = SettingsSeen["provider"];

export const settingsStrings = words("settings", {
  loading: "Reading the settings…",
  failed: "The settings could not be read",
  readOnly: "You can look, but not change",
  readOnlyHint:
    "Without a passcode, settings are changed only on the machine Paige runs on. Open Paige there, or set a passcode there first.",
  exposed: "Other people of this machine can read your settings file",
  exposedHint: (file: string) => `The next change here makes \`${file}\` readable for you only.`,
  file: "Your settings file:",

  waiting: {
    title: "Paige still runs with the settings from before",
    text: "What you changed counts once Paige starts again. Open pages find back by themselves; a run that is working is interrupted and can be continued.",
    byHand: "Stop Paige with Ctrl+C in its terminal and start it again.",
    restart: "Start Paige again",
    restarting: "Starting again…",
    done: "Paige runs with the new settings",
    failed: "Paige did not start again",
  },

  origins: {
    environment: "Set by the environment",
    dotenv: "Set in a file `.env`",
    project: "Set in the project's `paige.toml`",
    person: "Set in your own file",
    default: "Not set",
  } satisfies Record<SettingEntry["origin"], string>,
  locked: (place: string) => `Set by ${place}. It is stronger than your own file and can only be changed there.`,

  provider: {
    heading: "Who answers",
    lead: "Paige works without any model. With one, it writes more freely and answers anything.",
    legend: "Provider",
    names: {
      anthropic: "Anthropic",
      openai: "OpenAI",
      "openai-compatible": "A server of your own",
      local: "No model",
    } satisfies Record<Provider, string>,
    about: {
      anthropic: "Claude, with a key from the Claude console.",
      openai: "GPT, with a key from the OpenAI platform.",
      "openai-compatible": "Ollama, vLLM, LM Studio or another service that speaks the same way.",
      local: "Rules on this machine. Nothing leaves it, nothing costs.",
    } satisfies Record<Provider, string>,
    auto: "Decide by the keys",
    autoAbout: (now: string) => `The first provider with a key, else no model. Now: ${now}.`,
  },

  key: {
    label: (provider: string) => `Key for ${provider}`,
    optional: (provider: string) => `Key for ${provider} (if it wants one)`,
    kept: (end: string) => `A key is kept (${end}). Write a new one to replace it; it is never shown again.`,
    none: "It goes into your own settings file, which only you can read. It is never shown again.",
    remove: "Remove the key",
    removing: "The key is removed when you save.",
    keep: "Keep it",
    show: "Show what I type",
  },

  address: {
    label: "Address",
    ownHint: "Such as `http://127.0.0.1:11434/v1`.",
    otherHint: "Leave it empty for the maker's own. A kept key is not sent to a new address: write the key again.",
    more: "Another address",
  },

  models: {
    heading: "Models",
    lead: "Quick questions go to the fast one, lessons and marking to the strong one.",
    fast: "Fast model",
    strong: "Strong model",
    usual: (model: string) => `Empty means \`${model}\`.`,
    needed: "The name of a model your server has.",
  },

  fallback: {
    label: "When nobody answers",
    unset: "Local rules answer instead (usual)",
    names: { none: "Say so and stop", local: "Local rules answer instead" },
  },

  check: {
    button: "Check",
    checking: "Asking…",
    hint: "Asks the model one tiny question. It costs less than a hundredth of a cent.",
    titles: {
      works: "It works",
      local: "Nothing to check",
      no_key: "There is nothing to check yet",
      wrong_key: "The key is not accepted",
      no_network: "There is no way to the provider",
      timeout: "No answer came in time",
      rate_limit: "The key works, but it is used too often just now",
      no_credit: "The key works, but there is no credit left",
      model_unknown: "The model is not there",
      not_a_model: "Something else answered",
      failed: "The provider could not answer",
    } satisfies Record<SettingsChecked["outcome"], string>,
    failed: "It could not be checked",
    cost: (usd: number) => `Cost: ${usd.toLocaleString(locale(), { style: "currency", currency: "USD", maximumSignificantDigits: 2 })}`,
  },

  save: "Save",
  saving: "Saving…",
  saved: "Saved. It counts once Paige starts again",
  nothing: "Nothing to save",
  undo: "Undo changes",

  passcode: {
    heading: "Passcode",
    lead: "With a passcode, every browser and program has to give it once. Without one, only this machine can use Paige.",
    states: {
      on: "A passcode is asked for",
      off: "No passcode is asked for",
      soonOn: "A passcode is set; it is asked for once Paige starts again",
      soonOther: "The passcode is changed; the old one is asked for until Paige starts again",
      soonOff: "The passcode is removed; it is asked for until Paige starts again",
    },
    set: "Set a passcode",
    change: "Change the passcode",
    remove: "Remove the passcode",
    old: "Old passcode",
    fresh: "New passcode",
    again: "New passcode once more",
    hint: "At least 8 characters. A few words are easier to remember than signs.",
    different: "The two are not the same.",
    tooShort: "Use at least 8 characters.",
    kept: "Paige keeps only a hash of it. If you forget it, remove the line `passcode` from your settings file.",
    who: "Everybody is signed out when Paige starts again, you too: all browsers, and programs that send the old passcode.",
    whoFirst: "Once Paige starts again, every browser and program is asked for it, this one too.",
    whoRemoved: "Once Paige starts again, nobody is asked any more, and only this machine can use Paige.",
    notRemovable: "Paige can be reached from other machines, so it needs a passcode. It can be changed, not removed.",
    removeTitle: "Remove the passcode?",
    cancel: "Keep it",
    done: { set: "The passcode is set", change: "The passcode is changed", remove: "The passcode is removed" },
  },

  checks: {
    heading: "Checks",
    again: "Run the checks again",
    running: "Checking…",
    ran: "The checks were run again",
    facts: "Configuration",
  },
});
