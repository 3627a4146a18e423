/** Answers of a server whose coding agents are guarded. */

import type { FakeServer } from "../../../testing/fake-server";
import { goodServer } from "../../../testing/render-app";
import type { GuardDay, GuardEntry, GuardExplained, GuardHosts, GuardOverview, GuardPlan, GuardRules } from "../../../wire/generated";

const NONE = { denied: 0, asked: 0, changed: 0, passed: 0, fault: 0 };

export const DAYS: GuardDay[] = [
  { day: "2026-02-28", counts: NONE },
  { day: "2026-03-01", counts: { ...NONE, denied: 1, passed: 4 } },
];

export const GUARD: GuardOverview = {
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

export const RULES: GuardRules = {
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

export const PLAN: GuardPlan = {
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
