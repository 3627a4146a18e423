/** What the app asks about decisions, rules and coding agents. */

import type {
  GraphAround,
  GraphOverview,
  GraphTrace,
  GraphTraces,
  GuardCarryOut,
  GuardDecisions,
  GuardDone,
  GuardEntry,
  GuardExplain,
  GuardExplained,
  GuardHost,
  GuardHosts,
  GuardOverview,
  GuardPlan,
  GuardPlanRequest,
  GuardRules,
  LearnedAct,
  LearnedGuard,
  LearnedGuards,
  LearnedLessons,
  LearnedMetrics,
  LearnedMove,
  OrchestraBoard,
  OrchestraHandoffs,
} from "../../wire/generated";
import { type HttpPorts, params, request } from "../../wire/http";

/** What the browser keeps of it stands below this name. */
export const GUARD_KEY = ["guard"] as const;

export interface GuardFilter {
  verdict: GuardEntry["verdict"] | null;
  cli: string | null;
  session: string | null;
  rule: string | null;
  /** Null means where something was decided, `any` every event. */
  event: string | null;
  query: string;
}

export interface GuardApi {
  overview(): Promise<GuardOverview>;
  decisions(filter: GuardFilter, limit: number): Promise<GuardDecisions>;
  rules(): Promise<GuardRules>;
  explain(asked: GuardExplain): Promise<GuardExplained>;
  hosts(): Promise<GuardHosts>;
  plan(cli: GuardHost["cli"], asked: Omit<GuardPlanRequest, "cli">): Promise<GuardPlan>;
  carryOut(cli: GuardHost["cli"], asked: Omit<GuardCarryOut, "cli">): Promise<GuardDone>;
}

export function createGuardApi(ports: HttpPorts): GuardApi {
  return {
    overview: () => request(ports, "GET", "/api/guard"),
    decisions: (filter, limit) => request(ports, "GET", `/api/guard/decisions?${params({ limit, ...filter })}`),
    rules: () => request(ports, "GET", "/api/guard/rules"),
    explain: (asked) => request(ports, "POST", "/api/guard/explain", asked),
    hosts: () => request(ports, "GET", "/api/guard/hosts"),
    plan: (cli, asked) => request(ports, "POST", `/api/guard/hosts/${cli}/plan`, asked),
    carryOut: (cli, asked) => request(ports, "POST", `/api/guard/hosts/${cli}`, asked),
  };
}

export interface GraphFilter {
  type: GraphTrace["type"] | null;
  agent: string | null;
  feature: string | null;
  rule: string | null;
  file: string | null;
  query: string;
}

export interface LearningApi {
  graph(): Promise<GraphOverview>;
  traces(filter: GraphFilter, limit: number): Promise<GraphTraces>;
  around(id: string, depth: number): Promise<GraphAround>;
  guards(): Promise<LearnedGuards>;
  lessons(): Promise<LearnedLessons>;
  metrics(): Promise<LearnedMetrics>;
  tryOut(id: string): Promise<LearnedGuard>;
  shadow(id: string, asked: Omit<LearnedMove, "id">): Promise<LearnedGuard>;
  promote(id: string, asked: Omit<LearnedMove, "id">): Promise<LearnedGuard>;
  rollBack(id: string, asked: Omit<LearnedAct, "id">): Promise<LearnedGuard>;
  board(): Promise<OrchestraBoard>;
  handoffs(feature: string | null, limit: number): Promise<OrchestraHandoffs>;
}

/** What the app asks about the context graph, learned guards and the orchestra. */
export function createLearningApi(ports: HttpPorts): LearningApi {
  const guard = (id: string): string => `/api/guards/${encodeURIComponent(id)}`;
  return {
    graph: () => request(ports, "GET", "/api/graph"),
    traces: (filter, limit) => request(ports, "GET", `/api/graph/traces?${params({ limit, ...filter })}`),
    around: (id, depth) => request(ports, "GET", `/api/graph/traces/${encodeURIComponent(id)}/around?${params({ depth, most: 2000 })}`),
    guards: () => request(ports, "GET", "/api/guards"),
    lessons: () => request(ports, "GET", "/api/guards/lessons"),
    metrics: () => request(ports, "GET", "/api/guards/metrics"),
    tryOut: (id) => request(ports, "POST", `${guard(id)}/try`),
    shadow: (id, asked) => request(ports, "POST", `${guard(id)}/shadow`, asked),
    promote: (id, asked) => request(ports, "POST", `${guard(id)}/promote`, asked),
    rollBack: (id, asked) => request(ports, "POST", `${guard(id)}/rollback`, asked),
    board: () => request(ports, "GET", "/api/orchestra"),
    handoffs: (feature, limit) => request(ports, "GET", `/api/orchestra/handoffs?${params({ limit, feature })}`),
  };
}
