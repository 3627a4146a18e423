/** What is said while the Guard page itself is being fetched. */

export const guardRoute = {
  loading: "Opening the page…",
  failed: "The page could not be loaded",
  failedHint: "Paige may have been updated or stopped. Try again, or reload the page.",
} as const;
