/** The words of what all pages are drawn with. */

import { words } from "../locale/words";

export const uiStrings = words("ui", {
  sortBy: (column: string) => `Sort by ${column}`,
  undo: "Undo",
  undoHow: "Press F8 to come here, then choose Undo",
  undone: (what: string) => `Undone: ${what}`,
  print: "Print",
  page: {
    loading: "Opening the page…",
    failed: "The page could not be loaded",
    failedHint: "Paige may have been updated or stopped. Try again, or reload the page.",
  },
  undoFailed: "It could not be undone",
});

export const plotStrings = words("plots", {
  asTable: "As a table",
  points: (name: string) => `${name}, point by point`,
  today: "Today",
  less: "Less",
  more: "More",
  weekOf: (day: string) => `Week of ${day}`,
});
