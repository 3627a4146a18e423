/** What is said while the Plan page itself is being fetched. */

export const planRoute = {
  loading: "Opening the Plan page…",
  failed: "The Plan page could not be loaded",
  failedHint: "Paige may have been updated or stopped. Try again, or reload the page.",
} as const;
