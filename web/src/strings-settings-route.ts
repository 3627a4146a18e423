/** The words around the settings pages, which are there before the pages are. */

import { words } from "./locale/words";

export const settingsRoute = words("settingsRoute", {
  loading: "Fetching the page…",
  failed: "The page could not be fetched",
  failedHint: "Paige may have stopped or been updated. Try again when it answers.",
  label: "Pages of the settings",
  lead: "How Paige works for you",
  pages: {
    model: "Model",
    passcode: "Passcode",
    agents: "Agents",
    checks: "Checks",
    data: "Data",
  },
  leads: {
    model: "Who answers, with which key, and what happens when nobody does.",
    passcode: "Whether somebody who opens Paige has to know a word.",
    agents: "Where Paige is installed, with a preview of every change.",
    checks: "What works, what needs a look, and what to do about it.",
    data: "What Paige keeps on this machine, the sample, the tour, the language.",
  },
});
