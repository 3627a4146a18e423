/** Answers of a server with a coached project. */

import "../coach-pages";

import type { FakeServer } from "../../../testing/fake-server";
import type { FakeWorld } from "../../../testing/fake-world";
import { goodServer } from "../../../testing/render-app";
import type { CoachOverview, KataSummary, TreeNode } from "../../../wire/generated";
import type { Dashboard } from "../api";
import { useDrafts, useFiles } from "../state/files";
import { useHints } from "../state/hints";
import { useCoachSession } from "../state/session";
import { useDashboard, useKata, useLink, useQuestions, useTerminal } from "../state/stores";

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

const KATA: KataSummary = {
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

// What tests of the coach's pages need around them: their parts fetched, no leftovers. */  // Fetched before a test
// begins: while one runs, that would take longer than it waits for anything.

/** Leaves nothing of one test for the next. */
export function cleanUp(): void {
  useDashboard.setState(useDashboard.getInitialState(), true);
  useDrafts.setState(useDrafts.getInitialState(), true);
  useFiles.setState(useFiles.getInitialState(), true);
  useHints.setState(useHints.getInitialState(), true);
  useKata.setState(useKata.getInitialState(), true);
  useLink.setState(useLink.getInitialState(), true);
  useQuestions.setState(useQuestions.getInitialState(), true);
  useCoachSession.setState(useCoachSession.getInitialState(), true);
  useTerminal.setState(useTerminal.getInitialState(), true);
  sessionStorage.clear();
}

/** What the app sent of one type, oldest first. */
export function sent(world: FakeWorld, type: string): unknown[] {
  return world.socket.sent.flatMap((text) => {
    const frame = JSON.parse(text) as { type: string; payload: unknown };
    return frame.type === type ? [frame.payload] : [];
  });
}
