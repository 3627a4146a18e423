/** Answers of a server that remembers something. */

import type { FakeServer } from "../../../testing/fake-server";
import { goodServer } from "../../../testing/render-app";
import type {
  MemoryDocument,
  MemoryFile,
  MemoryItem,
  MemoryOverview,
  MemoryPolicies,
  MemoryResult,
  MemoryShown,
} from "../../../wire/generated";

const NO_TASKS = { tasks: 0, successRate: 0, retries: 0, corrections: 0, toolCalls: 0 };

export const OVERVIEW: MemoryOverview = {
  totals: {
    memories: 3,
    superseded: 1,
    scopes: { global: 1, project: 2 },
    types: { note: 3 },
    tiers: { hot: 3 },
    projects: { alpha: 2 },
  },
  logs: [{ path: "/home/me/events.jsonl", lastSeq: 5, indexed: 5 }],
  index: "/home/me/index.db",
  embedder: "static-256",
  backends: ["embedded"],
  cycle: [
    { phase: "record", events: 5, last: "2026-03-01T10:00:00Z", types: { note: 5 } },
    { phase: "organise", events: 0, last: null, types: {} },
    { phase: "recall", events: 0, last: null, types: {} },
    { phase: "improve", events: 0, last: null, types: {} },
  ],
  outcomes: {
    since: "2026-01-01T00:00:00Z",
    withMemory: NO_TASKS,
    withoutMemory: NO_TASKS,
    successLift: 0,
    verdict: "unclear",
    reason: "too few tasks",
  },
};

export const ITEM: MemoryItem = {
  id: "m1",
  text: "Anna owns the parser",
  type: "fact",
  scope: "project",
  owner: "me",
  project: "alpha",
  session: "s1",
  speaker: null,
  at: "2026-03-01T10:00:00Z",
  importance: 0.5,
  meta: null,
  supersededBy: null,
};

export const RESULT: MemoryResult = { ...ITEM, score: 0.62, why: { lexical: 1.047, vector: 0.29, access: 0 }, tokens: 4 };

export const SHOWN: MemoryShown = {
  ...ITEM,
  key: "parser owner",
  task: null,
  outcome: null,
  acl: [],
  evidence: ["src/parser.py:12"],
  agent: { id: "coder-1", role: null, tool: "mcp" },
  sessionId: "s1",
  traceId: "tr-1",
  payload: {},
  line: { seq: 2, hash: "f00", prev: "ba5" },
  earlier: [{ id: "m0", text: "Ben owns the parser", at: "2026-02-01T10:00:00Z" }],
  later: [],
  recalls: [{ at: "2026-03-02T10:00:00Z", query: "Who knows the grammar?", reader: "me", session: null }],
  mine: true,
};

export const FILE: MemoryFile = {
  path: "classes/3B/MEMORY.md",
  scope: "class",
  classId: "3B",
  version: "v1",
  lines: 2,
  promptLines: 2,
  writtenBy: "web",
  updatedAt: "2026-03-01T10:00:00Z",
};

export const DOCUMENT: MemoryDocument = { ...FILE, text: "# 3B\n- reads aloud\n" };

export const POLICIES: MemoryPolicies = {
  current: [
    {
      role: "*",
      scope: "*",
      version: 0,
      stage: "production",
      reason: "as shipped",
      policy: {
        weights: { relevance: 1, importance: 0.05, recency: 0.01, access: 0.005 },
        minScore: 0.1,
        budget: { knowledge: 500 },
        k: { project: 10 },
      },
    },
  ],
  history: [],
};

export const RECENT = "GET /api/memory/recent?limit=20";
export const SEARCH = "GET /api/memory/search?query=parser&k=20";
export const FILE_PATH = "/api/memory/files/classes/3B/MEMORY.md";

export function rememberingServer(): FakeServer {
  return goodServer()
    .answer("GET /api/memory", OVERVIEW)
    .answer(RECENT, { memories: [ITEM], total: 1 })
    .answer("GET /api/memory/events/m1", SHOWN)
    .answer("GET /api/memory/files", [FILE])
    .answer(`GET ${FILE_PATH}`, DOCUMENT)
    .answer("GET /api/memory/policies", POLICIES);
}

export function searchingServer(): FakeServer {
  return rememberingServer().answer(SEARCH, { results: [RESULT], tookMs: 2.4, leftOut: 3, vectors: true });
}
