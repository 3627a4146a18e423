/** The texts that stand before a page about runs has come. */

import { words } from "./locale/words";

export const tracesRoute = words("tracesRoute", {
  label: "Pages about runs",
  pages: { runs: "Runs", costs: "Costs", run: "One run" },
  about: {
    runs: "What agents did in every run: how long each step took, what it cost, what the model read and said.",
    costs: "What models cost, day by day, by model, by door and by what they were asked for.",
    run: "",
  },
  loading: "Opening the page…",
  failed: "The page could not be opened",
  failedHint: "Paige may have stopped or been updated. Try again, or reload the page.",
});
