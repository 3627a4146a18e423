/** What a server says of an orchestra that plays. */

import type { OrchestraBoard, OrchestraFeature, OrchestraHandoff } from "../../../wire/generated";

export function feature(id: string, state: OrchestraFeature["state"], more: Partial<OrchestraFeature> = {}): OrchestraFeature {
  return { id, title: `Feature ${id}`, state, attempts: 1, step: "", agent: "", since: null, reason: "", ...more };
}

export const BOARD: OrchestraBoard = {
  project: "shop",
  goal: "A shop for books",
  begun: true,
  running: true,
  phase: "coding",
  waits: "",
  features: [
    feature("F1", "closed"),
    feature("F2", "coding", { step: "The coder works on it", agent: "coding-agent", attempts: 2, since: "2026-03-01T10:00:00Z" }),
    feature("F3", "pending", { attempts: 0 }),
    feature("F4", "blocked", { reason: "`tests` were missing" }),
  ],
  next: { state: "coding", action: "spawn", agent: "tester-agent", feature: "F2", sentence: "Start `tester-agent` for feature `F2`." },
  runs: [
    {
      id: "r1",
      feature: "F1",
      agent: "coding-agent",
      runner: "loop",
      attempt: 1,
      started: "2026-03-01T09:00:00Z",
      ended: "2026-03-01T09:02:00Z",
      outcome: "returned",
      returned: "IMPLEMENTATION COMPLETE",
      vetoed: true,
    },
  ],
  vetoes: { judged: 4, vetoed: 1 },
};

export const HANDOFF: OrchestraHandoff = {
  key: "run-1/2",
  at: "2026-03-01T09:00:00Z",
  event: "refused",
  agent: "tester-agent",
  task: "validate_feature",
  feature: "F1",
  previousState: "coding",
  nextAgent: "main",
  files: ["src/a.py"],
  artifacts: [],
  precondition: "The code is written.",
  postcondition: "Tests ran and passed.",
  rollback: "back to coding",
  criteria: { tests_pass: true },
  timeoutS: 600,
  said: "`src/a.py` does not exist",
};

export const HANDOFFS = "GET /api/orchestra/handoffs?limit=20";
