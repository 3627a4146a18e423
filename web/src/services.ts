/** What the app needs from the outside, built once and handed down; tests hand down their own. */

import { QueryCache, QueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { createStore, type StoreApi } from "zustand";

import { type AnswerApi, createAnswerApi, createHandoutsApi, type HandoutsApi } from "./pages/answer/api";
import { type CoachApi, createCoachApi } from "./pages/coach/api";
import { createGuardApi, createLearningApi, type GuardApi, type LearningApi } from "./pages/guard/api";
import { createMemoryApi, type MemoryApi } from "./pages/memory/api";
import { type AccountsApi, createAccountsApi } from "./pages/people/api";
import { createPlanApi, type PlanApi } from "./pages/plan/api";
import { createFindingApi, type FindingApi } from "./pages/search/api";
import { createSettingsApi, type SettingsApi } from "./pages/settings/api";
import { createStudyApi, type StudyApi } from "./pages/study/api";
import { takeInStudy } from "./pages/study/hooks";
import { createTracesApi, type TracesApi } from "./pages/traces/api";
import { followNotices } from "./shell/notices/cache";
import { strings } from "./strings";
import { notifyError } from "./ui/toasts";
import { Connection, type ConnectionPorts } from "./wire/driver";
import type { AccountSignIn, Setup, SignIn } from "./wire/generated";
import { type HttpPorts, isSignInNeeded, request } from "./wire/http";
import { type ConnectionState, INITIAL } from "./wire/machine";
import { takeInChange } from "./wire/memory-cache";
import { adoptSession, type AnySession, csrfOf, signedOut } from "./wire/session-cache";

export interface Services {
  api: Api;
  queries: QueryClient;
  connection: Connection;
  connectionState: StoreApi<ConnectionState>;
}

export function createServices(ports: { fetch: typeof fetch; connection: ConnectionPorts }): Services {
  const queries = createQueryClient();
  const connectionState = createStore<ConnectionState>(() => INITIAL.state);
  const connection = new Connection(ports.connection, {
    stateChanged: (state) => {
      connectionState.setState(state, true);
      // The server is back: what could not be read before can be read now.
      if (state.name === "open") {
        void queries.refetchQueries({ predicate: (query) => query.state.status === "error" });
      }
    },
    resync: () => queries.invalidateQueries(),
    signInNeeded: () => {
      adoptSession(queries, signedOut(queries));
    },
  });
  connection.subscribe("memory:changed", ({ payload }) => {
    takeInChange(queries, payload);
  });
  connection.subscribe("study:changed", ({ payload }) => {
    takeInStudy(queries, payload);
  });
  connection.subscribe("guard:changed", () => {
    for (const key of ["guard", "guards", "graph"]) void queries.invalidateQueries({ queryKey: [key] });
  });
  followNotices(connection, queries, (ms, action) => ports.connection.after(ms, action));
  const api = createApi({ fetch: ports.fetch, csrf: () => csrfOf(queries) });
  return { api, queries, connection, connectionState };
}

export const ServicesContext = createContext<Services | null>(null);

export function useServices(): Services {
  const services = useContext(ServicesContext);
  if (services === null) throw new Error("useServices needs a ServicesContext above it");
  return services;
}

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

/** Every question the app asks the server over HTTP. */
function createApi(ports: HttpPorts): Api {
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

/** The cache of what the server answered, and what happens when it stops answering. */
function createQueryClient(): QueryClient {
  const queries = new QueryClient({
    queryCache: new QueryCache({
      onError: (error, query) => {
        if (isSignInNeeded(error)) adoptSession(queries, signedOut(queries));
        // Without data the page itself shows the error.
        else if (query.state.data !== undefined && query.meta?.isQuiet !== true) notifyError(strings.notices.refreshFailed, error);
      },
    }),
    defaultOptions: {
      queries: {
        // Paige usually runs on this very machine, which needs no network.
        networkMode: "always",
        retry: false,
        staleTime: 10_000,
      },
      mutations: { networkMode: "always" },
    },
  });
  return queries;
}
