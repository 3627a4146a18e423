/** The words of the first run and of the tour. */

import { words } from "../locale/words";

export const tourStrings = words("tour", {
  start: "Start the tour",
  place: (step: number, all: number) => `Tour: step ${step} of ${all}`,
  next: "Next",
  back: "Back",
  done: "Done",
  skip: "Not now",
  end: "End the tour",
  ended: "You can start the tour again in Settings, under Data",
  steps: {
    plan: {
      title: "Plan: lessons for your classes",
      words:
        "Say which class and what about, such as `2A, fractions, 50 minutes`. Paige reads the class, finds the outcomes in the curriculum and asks before it decides. The classes you see are a sample.",
    },
    study: {
      title: "Study: learn a little every day",
      words:
        "Three courses are ready. Begin one and Paige asks what you are about to forget, in the form you need: cards, exercises, code, speaking.",
    },
    coach: {
      title: "Coach: your own code, your own work",
      words: "Pick an issue of your project. Paige asks and hints while you write; it does not write for you.",
    },
    guard: {
      title: "Guard: rules for coding agents",
      words:
        "Install it in Claude Code, Codex, Gemini or Copilot, and commands that lose work are stopped with a better way. Nothing is installed until you say so.",
    },
    more: {
      title: "Everything is a few keys away",
      words:
        "`Ctrl+K` finds pages, commands and what you wrote. `?` lists the keys. Memory shows what Paige remembers, and you can make it forget. Settings has the key, the passcode and this tour.",
    },
  },

  first: {
    heading: "How would you like to begin?",
    lead: "Everything can be changed later in Settings.",
    key: {
      title: "With a key",
      words: "A model writes and answers. You need a key from Anthropic or OpenAI, or a server of your own.",
      action: "Enter a key",
    },
    none: {
      title: "Without any key",
      words: "Rules on this machine plan, mark and coach. Nothing leaves it and nothing costs.",
      action: "Begin without a key",
    },
    look: {
      title: "Look around first",
      words: "A small project to be coached on comes with the sample classes and courses. It can be removed again.",
      action: "Use the sample",
      working: "Preparing the sample…",
      byHand: "The sample project is there. Start Paige in its folder to be coached on it.",
      failed: "The sample could not be prepared",
    },
    hide: "Do not ask again",
  },
});
