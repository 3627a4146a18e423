/** What the app asks about decisions, rules and coding agents. */

import type {
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
  GuardPlanAsked,
  GuardRules,
} from "../wire/generated";
import { type HttpPorts, params, request } from "./http";

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
  plan(cli: GuardHost["cli"], asked: GuardPlanAsked): Promise<GuardPlan>;
  carryOut(cli: GuardHost["cli"], asked: GuardCarryOut): Promise<GuardDone>;
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
