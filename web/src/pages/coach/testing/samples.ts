/** Answers of a server with a coached project. */

import type { FakeServer } from "../../../testing/fake-server";
import { goodServer } from "../../../testing/render-app";
import type { CoachOverview, KataSummary, TreeNode } from "../../../wire/generated";
import type { Dashboard } from "../api";

export const TREE: TreeNode = {
  name: "shop",
  path: "",
  type: "directory",
  children: [
    {
      name: "src",
      path: "src",
      type: "directory",
      children: [
        { name: "cart.py", path: "src/cart.py", type: "file" },
        { name: "prices.py", path: "src/prices.py", type: "file" },
      ],
    },
    { name: "README.md", path: "README.md", type: "file" },
  ],
};

export const OVERVIEW: CoachOverview = {
  project: "/home/ada/shop",
  session: null,
  plan: null,
  phases: [],
  openFiles: [],
  observer: { active: false, muted: false },
};

export const KATA: KataSummary = {
  id: "k1",
  title: "Add them up",
  topic: "loops",
  attemptsCount: 0,
  bestLevel: null,
  constraintCount: 2,
};

export const DASHBOARD: Dashboard = {
  dreyfus: [{ skillArea: "Python", stage: "competent", confidence: 0.7, assessedAt: "2026-03-01T10:00:00Z" }],
  stats: {
    period: "all",
    sessionsCompleted: 3,
    totalCoachingMinutes: 90,
    issuesWorkedOn: 2,
    knowledgeGapsIdentified: 4,
    knowledgeGapsAddressed: 1,
    hintsUsed: 7,
    apiCostTotal: 0.42,
  },
  inProgressSessions: [],
  katas: [KATA],
  openGaps: 1,
};

export function coachingServer(overview: CoachOverview = OVERVIEW): FakeServer {
  return goodServer().answer("GET /api/coach", overview);
}
