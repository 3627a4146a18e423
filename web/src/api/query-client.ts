/** The cache of what the server answered, and what happens when it stops answering. */

import { QueryCache, QueryClient } from "@tanstack/react-query";

import { strings } from "../strings";
import { notifyError } from "../toasts/toasts";
import { isSignInNeeded } from "./errors";
import { adoptSession, signedOut } from "./session-cache";

export function createQueryClient(): QueryClient {
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
