/** What is said around the pages behind the Guard door. */

import { words } from "./locale/words";

export const guardRoute = words("guardRoute", {
  label: "Pages of Guard",
  pages: {
    decisions: "Decisions",
    graph: "Graph",
    guards: "Guards",
    orchestra: "Orchestra",
  },
  leads: {
    graph: "Every block, correction, approval and decision of your agents, and how they hang together.",
    guards: "What agents do wrong again and again becomes a guard, which proves itself before it may block.",
    orchestra: "Features are coded, tested and closed by agents, one handing over to the next.",
  },
});
