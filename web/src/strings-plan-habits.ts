/** The texts of what one does with a conversation: saying something differently, going between branches, searching. */

import { words } from "./locale/words";

export const planHabits = words("planHabits", {
  branches: {
    edit: "Say it differently",
    askAgain: "Ask the same again",
    askAgainFailed: "It could not be asked again",
    editLabel: "The request in other words",
    editHint: "Nothing is replaced: you can go back to what was said before.",
    editCancel: "Cancel",
    editSend: "Send",
    /** What was asked at one point, one of which is shown. */
    group: "What was asked here",
    count: (at: number, count: number) => `${at} of ${count}`,
    previous: "What was asked before",
    next: "What was asked later",
    of: (title: string) => `Branch of ${title}`,
  },

  find: {
    open: "Search this session",
    label: "Search this session",
    hint: "Enter goes to the next place, Shift+Enter to the one before, Escape closes the search.",
    clear: "Empty the search",
    count: (at: number, count: number) => `${at} of ${count}`,
    nothing: "Not found",
    reading: "Searching…",
    next: "Next place",
    previous: "Place before",
    close: "Close the search",
  },

  /** In the list of keyboard shortcuts. */
  keys: {
    heading: "In a conversation",
    find: "Search this session",
    previous: "Go to the request before",
    next: "Go to the next request",
    branches: "On “1 of 2”: go between what was asked there",
  },
});
