/** What is said while the Plan page itself is being fetched. */

import { words } from "./locale/words";

export const planRoute = words("planRoute", {
  handouts: "Handouts",
  loading: "Opening the Plan page…",
  failed: "The Plan page could not be loaded",
  failedHint: "Paige may have been updated or stopped. Try again, or reload the page.",
});
