/** What is said while a page of the coach itself is being fetched. */

import { words } from "../../locale/words";

export const coachRoute = words("coachRoute", {
  loading: "Opening the page…",
  failed: "The page could not be loaded",
  failedHint: "Paige may have been updated or stopped. Try again, or reload the page.",
  open: "Open the workspace",
  work: "Workspace",
  practice: "Practice",
  wrapUp: "What you learnt",
});
