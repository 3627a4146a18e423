/** Every question the app asks the server over HTTP. */

import type { Session, Setup, SignIn } from "../wire/generated";
import { type CoachApi, createCoachApi } from "./coach-api";
import { createFindingApi, type FindingApi } from "./finding-api";
import { createGuardApi, type GuardApi } from "./guard-api";
import { type HttpPorts, request } from "./http";
import { createLearningApi, type LearningApi } from "./learning-api";
import { createMemoryApi, type MemoryApi } from "./memory-api";
import { createPlanApi, type PlanApi } from "./plan-api";
import { createSettingsApi, type SettingsApi } from "./settings-api";
import { createStudyApi, type StudyApi } from "./study-api";
import { createTracesApi, type TracesApi } from "./traces-api";

export interface Api {
  readSetup(): Promise<Setup>;
  readSession(): Promise<Session>;
  signIn(passcode: string): Promise<Session>;
  signOut(): Promise<Session>;
  finding: FindingApi;
  memory: MemoryApi;
  plan: PlanApi;
  coach: CoachApi;
  study: StudyApi;
  guard: GuardApi;
  settings: SettingsApi;
  learning: LearningApi;
  traces: TracesApi;
}

export function createApi(ports: HttpPorts): Api {
  return {
    readSetup: () => request<Setup>(ports, "GET", "/api/setup"),
    readSession: () => request<Session>(ports, "GET", "/api/session"),
    signIn: (passcode) => request<Session>(ports, "POST", "/api/session", { passcode } satisfies SignIn),
    signOut: () => request<Session>(ports, "DELETE", "/api/session"),
    finding: createFindingApi(ports),
    memory: createMemoryApi(ports),
    plan: createPlanApi(ports),
    coach: createCoachApi(ports),
    study: createStudyApi(ports),
    guard: createGuardApi(ports),
    settings: createSettingsApi(ports),
    learning: createLearningApi(ports),
    traces: createTracesApi(ports),
  };
}
