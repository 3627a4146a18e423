/** What the app needs from the outside, built once and handed down; tests hand down their own. */

import { type QueryClient } from "@tanstack/react-query";
import { createContext, useContext } from "react";
import { createStore, type StoreApi } from "zustand";

import { type Api, createApi } from "./api/api";
import { takeInChange } from "./api/memory-cache";
import { followNotices } from "./api/notices-cache";
import { createQueryClient } from "./api/query-client";
import { adoptSession, csrfOf, signedOut } from "./api/session-cache";
import { takeInStudy } from "./api/study-cache";
import { Connection, type ConnectionPorts } from "./connection/driver";
import { type ConnectionState, INITIAL } from "./connection/machine";

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
