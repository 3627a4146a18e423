/** The session as the query cache holds it: the one place that knows whether this browser may enter. */

import type { QueryClient } from "@tanstack/react-query";

import type { Session } from "../wire/generated";

export const SESSION_KEY = ["session"] as const;

export const SIGNED_OUT: Session = { required: true, signedIn: false, csrf: null };

export function mayEnter(session: Session): boolean {
  return !session.required || session.signedIn;
}

export function csrfOf(queries: QueryClient): string | null {
  return queries.getQueryData<Session>(SESSION_KEY)?.csrf ?? null;
}

/** Takes a session over. Somebody who may not enter keeps nothing that was read before. */
export function adoptSession(queries: QueryClient, session: Session): void {
  queries.setQueryData<Session>(SESSION_KEY, session);
  if (mayEnter(session)) return;
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== SESSION_KEY[0] });
}
