/** Every question the app asks the server over HTTP. */

import type { AccountSignIn, Setup, SignIn } from "../wire/generated";
import { type AccountsApi, createAccountsApi } from "./accounts-api";
import { type AnswerApi, createAnswerApi, createHandoutsApi, type HandoutsApi } from "./answer-api";
import { type CoachApi, createCoachApi } from "./coach-api";
import { createFindingApi, type FindingApi } from "./finding-api";
import { createGuardApi, type GuardApi } from "./guard-api";
import { type HttpPorts, request } from "./http";
import { createLearningApi, type LearningApi } from "./learning-api";
import { createMemoryApi, type MemoryApi } from "./memory-api";
import { createPlanApi, type PlanApi } from "./plan-api";
import type { AnySession } from "./session-cache";
import { createSettingsApi, type SettingsApi } from "./settings-api";
import { createStudyApi, type StudyApi } from "./study-api";
import { createTracesApi, type TracesApi } from "./traces-api";

export interface Api {
  readSetup(): Promise<Setup>;
  readSession(): Promise<AnySession>;
  signIn(passcode: string): Promise<AnySession>;
  signInAs(asked: AccountSignIn): Promise<AnySession>;
  signOut(): Promise<AnySession>;
  accounts: AccountsApi;
  answer: AnswerApi;
  handouts: HandoutsApi;
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
    readSession: () => request<AnySession>(ports, "GET", "/api/session"),
    signIn: (passcode) => request<AnySession>(ports, "POST", "/api/session", { passcode } satisfies SignIn),
    signInAs: (asked) => request<AnySession>(ports, "POST", "/api/session", asked),
    signOut: () => request<AnySession>(ports, "DELETE", "/api/session"),
    accounts: createAccountsApi(ports),
    answer: createAnswerApi(ports),
    handouts: createHandoutsApi(ports),
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
