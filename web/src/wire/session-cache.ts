/** The session as the query cache holds it: the one place that knows whether this browser may enter. */

import type { QueryClient } from "@tanstack/react-query";

import type { AccountSession, Session } from "./generated";

export const SESSION_KEY = ["session"] as const;

/** Of a server with one person, perhaps with a passcode; or of one where people have accounts. */
export type AnySession = Session | AccountSession;

export const SIGNED_OUT: Session = { required: true, signedIn: false, csrf: null, demo: false };

export function mayEnter(session: AnySession): boolean {
  return !session.required || session.signedIn;
}

/** The session of somebody with an account; null where there are none. */
export function accountOf(session: AnySession | undefined): AccountSession | null {
  return session !== undefined && "accounts" in session ? session : null;
}

/** Whether somebody may do something; without accounts everybody may everything. */
export function mayDo(session: AnySession | undefined, right: string): boolean {
  const account = accountOf(session);
  return account === null || account.rights.includes(right);
}

export function csrfOf(queries: QueryClient): string | null {
  return queries.getQueryData<AnySession>(SESSION_KEY)?.csrf ?? null;
}

/** Nobody is signed in any more; how one signs in stays as it was. */
export function signedOut(queries: QueryClient): AnySession {
  const account = accountOf(queries.getQueryData<AnySession>(SESSION_KEY));
  return account === null ? SIGNED_OUT : { ...account, signedIn: false, csrf: null, person: null, rights: [] };
}

/** Takes a session over. Somebody who may not enter keeps nothing that was read before. */
export function adoptSession(queries: QueryClient, session: AnySession): void {
  queries.setQueryData<AnySession>(SESSION_KEY, session);
  if (mayEnter(session)) return;
  queries.removeQueries({ predicate: (query) => query.queryKey[0] !== SESSION_KEY[0] });
}
