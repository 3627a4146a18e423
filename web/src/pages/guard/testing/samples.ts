/** Answers of a server whose coding agents are guarded. */

import type { FakeServer } from "../../../testing/fake-server";
import { goodServer } from "../../../testing/render-app";
import type {
  GraphAround,
  GraphNode,
  GraphOverview,
  GraphTrace,
  GuardDay,
  GuardEntry,
  GuardExplained,
  GuardHosts,
  GuardOverview,
  GuardPlan,
  GuardRules,
  LearnedGuard,
  LearnedGuards,
  LearnedLessons,
  LearnedMatcher,
  LearnedMetrics,
} from "../../../wire/generated";
import { BOARD, HANDOFF, HANDOFFS } from "../../orchestra/testing/samples";

const NONE = { denied: 0, asked: 0, changed: 0, passed: 0, fault: 0 };

const DAYS: GuardDay[] = [
  { day: "2026-02-28", counts: NONE },
  { day: "2026-03-01", counts: { ...NONE, denied: 1, passed: 4 } },
];

const GUARD: GuardOverview = {
  counts: { ...NONE, denied: 1, passed: 4 },
  days: DAYS,
  sessions: [{ cli: "claude-code", session: "s1", cwd: "/home/me/shop", last: "2026-03-01T10:00:00Z", decided: 5, denied: 1 }],
  clis: { "claude-code": "2026-03-01T10:00:00Z" },
  events: ["post_tool", "pre_tool"],
  rules: ["git.push-force"],
  folder: "/home/me/.paige/spool",
  complete: true,
};

export const UNGUARDED: GuardOverview = { ...GUARD, counts: NONE, days: [], sessions: [], clis: {}, events: [], rules: [] };

export const ENTRY: GuardEntry = {
  id: "d1",
  at: "2026-03-01T10:00:00Z",
  cli: "claude-code",
  session: "s1",
  event: "pre_tool",
  hostEvent: "PreToolUse",
  decision: "deny",
  verdict: "denied",
  rule: "git.push-force",
  reason: "Commits of others would be lost.",
  instead: "git push --force-with-lease",
  tool: "Bash",
  subject: "git push --force <b>main</b>",
  isCommand: true,
  cwd: "/home/me/shop",
  mode: "default",
  agent: "",
};

const RULES: GuardRules = {
  families: [
    {
      name: "git",
      about: "",
      commands: ["git", "hub"],
      path: "/rules/git.toml",
      layer: "shipped",
      count: 1,
      rules: [
        {
          name: "git.push-force",
          decision: "deny",
          loses: "Commits of others would be lost.",
          instead: "git push --force-with-lease",
          must: ["git push -f"],
          mustNot: ["git push"],
          hits: { rule: "git.push-force", count: 1, denied: 1, last: "2026-03-01T10:00:00Z", reason: "" },
        },
        {
          name: "git.reading",
          decision: "allow",
          loses: "",
          instead: "",
          must: ["git status"],
          mustNot: [],
          hits: { rule: "git.reading", count: 0, denied: 0, last: null, reason: "" },
        },
      ],
    },
  ],
  gates: [{ name: "writes", about: "The gate over files.", events: ["pre_tool"] }],
  others: [{ rule: "self-protection", count: 2, denied: 2, last: "2026-03-01T10:00:00Z", reason: "Paige rests on it." }],
  problems: [{ path: "/rules/own.toml", rule: "own.x", message: "must match `x`" }],
};

export const EXPLAINED: GuardExplained = {
  decision: "deny",
  rule: "git.push-force",
  reason: "Commits of others would be lost.",
  instead: "git push --force-with-lease",
  clear: true,
  unclear: "",
  cwd: "/home/me/shop",
  root: "/home/me/shop",
  steps: [
    { words: ["git", "add", "a b"], decision: "allow", rule: "git.staging", reason: "", instead: "", family: "git", considered: 38 },
    { words: ["git", "push", "-f"], decision: "deny", rule: "git.push-force", reason: "Commits of others would be lost.", instead: "", family: "git", considered: 38 },
  ],
};

export const HOSTS: GuardHosts = {
  hosts: [
    {
      cli: "claude-code",
      title: "Claude Code",
      found: true,
      version: "2.1.0",
      levels: [],
      checks: [],
      last: null,
    },
    {
      cli: "codex",
      title: "Codex CLI",
      found: true,
      version: "",
      levels: ["user"],
      checks: [{ name: "guard of Codex CLI", status: "fail", message: "`hooks.json` has no hooks any more", fix: "Run `paige install codex`." }],
      last: "2026-03-01T10:00:00Z",
    },
  ],
  project: "/home/me/shop",
};

const PLAN: GuardPlan = {
  cli: "claude-code",
  action: "install",
  level: "user",
  digest: "abc",
  changes: [{ path: "/home/me/.claude/settings.json", kind: "changed", diff: "--- a\n+++ b\n@@ -1 +1,2 @@\n {\n+  \"hooks\": 1" }],
  notes: ["`mcpServers.paige` was there already; it stays."],
};

export const DECISIONS = "GET /api/guard/decisions?limit=30";

export function guardedServer(): FakeServer {
  return goodServer()
    .answer("GET /api/guard", GUARD)
    .answer(DECISIONS, { decisions: [ENTRY], total: 1 })
    .answer("GET /api/guard/rules", RULES)
    .answer("POST /api/guard/explain", EXPLAINED)
    .answer("GET /api/guard/hosts", HOSTS)
    .answer("POST /api/guard/hosts/claude-code/plan", PLAN)
    .answer("POST /api/guard/hosts/claude-code", { ...PLAN, paths: [PLAN.changes[0]?.path], notes: [] });
}

// Answers of a server whose agents have been stopped, corrected and conducted.

export const TRACE: GraphTrace = {
  id: "trace-1",
  project: "shop",
  timestamp: "2026-03-01T10:00:00Z",
  type: "violation",
  context: { agent: "coding-agent", feature: "PT-003", task: "" },
  event: { whatHappened: "Marked <b>tested</b> without evidence", whatWasCorrect: "Let the tester run", why: "Empty data means it does not work" },
  source: "enforcement_hook",
  session: "s1",
  action: "mark-tested",
  reason: "tested-true",
  target: "feature-list.json",
  shape: "feature-list.json",
  rule: "tested-true",
  confidence: 1,
  scope: "project",
  files: ["feature-list.json"],
};

export const GRAPH: GraphOverview = {
  total: 2,
  types: { violation: 1, correction: 1 },
  agents: [{ name: "coding-agent", count: 2 }],
  features: [{ name: "PT-003", count: 2 }],
  rules: [{ name: "tested-true", count: 1 }],
};

export function node(key: string, distance: number, more: Partial<GraphNode> = {}): GraphNode {
  return { key, kind: "decision", id: key, label: `About ${key}`, type: "decision", at: null, distance, ...more };
}

export const AROUND: GraphAround = {
  trace: TRACE,
  nodes: [
    node("decision:trace-0", -1, { id: "trace-0", label: "Chose to skip tests" }),
    node("agent:coding-agent", -1, { kind: "agent", id: "coding-agent", label: "coding-agent", type: null }),
    node("decision:trace-1", 0, { id: "trace-1", label: "Marked tested", type: "violation" }),
    node("decision:trace-2", 1, { id: "trace-2", label: "No, test it first", type: "correction" }),
  ],
  edges: [
    { source: "decision:trace-0", relation: "led_to", target: "decision:trace-1" },
    { source: "decision:trace-1", relation: "made_by", target: "agent:coding-agent" },
    { source: "decision:trace-2", relation: "corrected", target: "decision:trace-1" },
  ],
  leftOut: 0,
};

const MATCHER: LearnedMatcher = {
  tools: ["write"],
  agents: ["coding-agent"],
  roles: [],
  command: [],
  paths: ["**/feature-list.json"],
  fields: {},
  contains: ['"tested": true'],
  unless: ["evidence"],
};

export const GUARD_RECORD: LearnedGuard = {
  id: "no-untested-close",
  standing: "shadow",
  since: "2026-03-01T10:00:00Z",
  version: 1,
  event: "pre_tool",
  decision: "deny",
  scope: "project",
  message: "Let the tester run before a feature is marked as tested.",
  pattern: "coding-agent mark-tested",
  evidence: ["trace-1"],
  matcher: MATCHER,
  must: [{ tool: "Write", agent: "coding-agent", role: "", text: "feature-list.json", facts: [] }],
  mustNot: [{ tool: "Read", agent: "coding-agent", role: "", text: "README.md", facts: [] }],
  shadow: { events: 40, hits: 3, harmless: 0, overridden: 0 },
  trial: {
    sound: true,
    faults: [],
    probed: 1000,
    benign: 0,
    benignHits: [],
    replay: { actions: 200, already: 4, corrected: 1, harmless: 0, unclear: 2, hits: [] },
    answers: [],
  },
  history: [
    { version: 1, stage: "proposed", at: "2026-02-27T10:00:00Z", why: "seen 5 times", by: "paige", forced: false },
    { version: 1, stage: "shadow", at: "2026-03-01T10:00:00Z", why: "looks right", by: "anna", forced: true },
  ],
};

export const GUARDS: LearnedGuards = { guards: [GUARD_RECORD], problems: [], promote: "person", folder: "/home/me/shop/.ai/guards" };

export const LESSONS: LearnedLessons = {
  patterns: [
    {
      key: "p1",
      agent: "coding-agent",
      action: "mark-tested",
      reason: "tested-true",
      shape: "feature-list.json",
      count: 5,
      sessions: 3,
      first: "2026-02-20T10:00:00Z",
      last: "2026-03-01T10:00:00Z",
      weight: 4.2,
      scope: "project",
      traces: ["trace-1"],
      overridden: 1,
    },
  ],
  proposals: [{ id: "no-untested-close", pattern: "p1", why: "seen 5 times", message: "Let the tester run.", matcher: MATCHER, must: [], mustNot: [] }],
  prompts: [{ agent: "coding-agent", file: ".claude/agents/coding-agent.md", diff: "-Done.\n+Done, and handed to the tester.", why: "It was forgotten 5 times.", tokens: 9 }],
  report: [
    {
      name: "Reflection without action",
      symptom: "Stored, never retrieved",
      detection: "Share of traces that were never read",
      measured: 0.8,
      threshold: 0.5,
      cases: 10,
      verdict: "warning",
      advice: "Ask the graph before a decision.",
    },
    { name: "Overthinking", symptom: "Turns without an action", detection: "", measured: null, threshold: 5, cases: 0, verdict: "unknown", advice: "" },
  ],
};

export const METRICS: LearnedMetrics = {
  since: "2026-02-25T10:00:00Z",
  sessionsBefore: 4,
  sessionsAfter: 3,
  metrics: [
    { name: "Rule compliance", how: "Share of mistakes that were blocked.", unit: "share", before: 0.4, after: 1, target: 0.9, better: "higher", met: true },
    { name: "User prompts needed", how: "Prompts for each feature.", unit: "", before: 3, after: 4, target: 1, better: "lower", met: false },
    { name: "Agent prompt size", how: "Tokens of the largest prompt.", unit: "tokens", before: null, after: 900, target: 1000, better: "lower", met: true },
  ],
};

export const TRACES = "GET /api/graph/traces?limit=40";

export function learningServer(): FakeServer {
  return goodServer()
    .answer("GET /api/graph", GRAPH)
    .answer(TRACES, { traces: [TRACE], total: 1, level: "summary", tokens: 60, leftOff: 0 })
    .answer("GET /api/graph/traces/trace-1/around?depth=3&most=2000", AROUND)
    .answer("GET /api/guards", GUARDS)
    .answer("GET /api/guards/lessons", LESSONS)
    .answer("GET /api/guards/metrics", METRICS)
    .answer("GET /api/orchestra", BOARD)
    .answer(HANDOFFS, { handoffs: [HANDOFF], total: 1 });
}
