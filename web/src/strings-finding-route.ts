/** What the page of the search says before the rest of it is there. */

import { words } from "./locale/words";

export const findingRoute = words("findingRoute", {
  title: "Search",
  lead: "Everything behind all doors",
  loading: "Opening the search…",
  failed: "The search could not be opened",
  failedHint: "Paige may have stopped or been updated. Reload the page when it answers.",
});
