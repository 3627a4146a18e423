/** Runs for tests: one with a subagent, a question and a failure, and one with as many turns as wanted. */

import type { CostRow, TraceDetail, TraceMoment, TraceRun } from "../../../wire/generated";

type Span = [step: string, parent: number, kind: string, name: string, start: number, length: number, failed?: boolean];

export const RUN: TraceRun = {
  id: "run-1",
  session: "session-1",
  number: 1,
  door: "plan",
  title: "Plan a lesson on fractions",
  agent: "planner",
  purpose: "plan:lesson",
  source: "anthropic",
  state: "ended",
  status: "success",
  reason: null,
  turns: 2,
  costUsd: 0.02,
  createdAt: "2026-03-02T12:00:00Z",
  updatedAt: "2026-03-02T12:00:20Z",
};

const SPANS: Span[] = [
  ["", -1, "run", "planner", 0, 20_000_000],
  ["t1/model", 0, "model", "claude", 0, 2_000_000],
  ["t1/tool/c1", 0, "tool", "spawn_subagent", 2_000_000, 3_000_000],
  ["sub/c1", 2, "subagent", "worker", 2_100_000, 2_800_000],
  ["sub/c1/t1/model", 3, "model", "haiku", 2_200_000, 2_000_000],
  ["t1/tool/c1/hook/pre_tool/guard", 2, "hook", "guard", 2_000_000, 1_000],
  ["t2/model", 0, "model", "claude", 17_000_000, 2_000_000],
  ["t2/tool/c2", 0, "tool", "save", 19_000_000, 1_000_000, true],
];

function detailOf(spans: readonly Span[], more: Partial<TraceDetail> = {}): TraceDetail {
  const isModel = (kind: string): boolean => kind === "model";
  return {
    run: RUN,
    prompt: RUN.title,
    output: "Start with halves.",
    startedUs: Date.parse(RUN.createdAt) * 1000,
    spans: {
      steps: spans.map(([step]) => step),
      parents: spans.map(([, parent]) => parent),
      kinds: spans.map(([, , kind]) => kind),
      names: spans.map(([, , , name]) => name),
      starts: spans.map(([, , , , start]) => start),
      lengths: spans.map(([, , , , , length]) => length),
      failed: spans.map(([, , , , , , failed]) => failed ?? false),
      tokensIn: spans.map(([, , kind]) => (isModel(kind) ? 100 : 0)),
      tokensOut: spans.map(([, , kind]) => (isModel(kind) ? 10 : 0)),
      costs: spans.map(([, , kind, name]) => (isModel(kind) && name !== "haiku" ? 0.01 : null)),
      notes: spans.map(() => ""),
    },
    gates: [],
    ...more,
  };
}

export const DETAIL = detailOf(SPANS, {
  gates: [
    {
      step: "t1/hook/post_loop/show/1",
      title: "Is this right?",
      text: "",
      options: ["Keep it", "Change it"],
      answers: [{ question: "", answer: "Keep it" }],
      auto: false,
      openedAt: "2026-03-02T12:00:05Z",
      answeredAt: "2026-03-02T12:00:17Z",
    },
  ],
});

/** A run of ten spans a turn, and the run itself. */
export function longDetail(turns: number): TraceDetail {
  const spans: Span[] = [["", -1, "run", "marathon", 0, turns * 1_000_000]];
  for (let turn = 1; turn <= turns; turn += 1) {
    const start = (turn - 1) * 1_000_000;
    spans.push([`t${turn}/model`, 0, "model", "claude", start, 400_000]);
    for (let call = 0; call < 9; call += 1) {
      spans.push([`t${turn}/tool/c${call}`, 0, "tool", "read_file", start + 400_000 + call * 60_000, 50_000]);
    }
  }
  return detailOf(spans);
}

export function momentOf(number: number, more: Partial<TraceMoment> = {}): TraceMoment {
  return {
    number,
    kind: "model",
    step: `t${number + 1}/model`,
    name: "claude",
    pending: false,
    failed: false,
    at: "2026-03-02T12:00:00Z",
    lengthUs: 2_000_000,
    read: [],
    thought: "",
    said: { who: "model", name: "", text: `Answer ${number}`, failed: false, leftOut: 0 },
    called: [],
    decided: [],
    gate: null,
    stopReason: "end_turn",
    tokensIn: 100,
    tokensOut: 10,
    costUsd: 0.01,
    ...more,
  };
}

export function costRow(day: string, model: string, costUsd: number, more: Partial<CostRow> = {}): CostRow {
  return {
    day,
    provider: "anthropic",
    model,
    door: "plan",
    purpose: "plan:lesson",
    calls: 1,
    failed: 0,
    unpriced: 0,
    costUsd,
    inputTokens: 100,
    outputTokens: 10,
    cacheReadTokens: 5,
    cacheWriteTokens: 0,
    ...more,
  };
}
