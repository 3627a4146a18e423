/** What the app asks about accounts: oneself, the people of the tenant, and what was done. */

import type {
  AboutMe,
  AccountPerson,
  AuditPage,
  LimitsOnSpend,
  MadeToken,
  MyPassword,
  MySignIns,
  NewToken,
  PeoplePage,
  PersonChange,
  PersonMade,
  PersonNew,
} from "../../wire/generated";
import { type HttpPorts, params, request } from "../../wire/http";

/** A limit with its figures as they were typed: the server says what is wrong with them. */
export interface LimitTyped {
  person: string;
  usdPerDay: string | null;
  usdPerMonth: string | null;
}

export interface AccountsApi {
  me(): Promise<AboutMe>;
  changePassword(asked: MyPassword): Promise<AboutMe>;
  signIns(): Promise<MySignIns>;
  revoke(id: string): Promise<MySignIns>;
  addToken(asked: NewToken): Promise<MadeToken>;
  people(words: string, after: string | null): Promise<PeoplePage>;
  add(asked: PersonNew): Promise<PersonMade>;
  change(id: string, asked: Omit<PersonChange, "id">): Promise<AccountPerson>;
  resetPassword(id: string): Promise<PersonMade>;
  limits(): Promise<LimitsOnSpend>;
  limit(asked: LimitTyped): Promise<LimitsOnSpend>;
  audit(before: number | null): Promise<AuditPage>;
}

export function createAccountsApi(ports: HttpPorts): AccountsApi {
  const of = (id: string): string => `/api/people/${encodeURIComponent(id)}`;
  return {
    me: () => request(ports, "GET", "/api/me"),
    changePassword: (asked) => request(ports, "PUT", "/api/me/password", asked),
    signIns: () => request(ports, "GET", "/api/me/sign-ins"),
    revoke: (id) => request(ports, "DELETE", `/api/me/sign-ins/${encodeURIComponent(id)}`),
    addToken: (asked) => request(ports, "POST", "/api/me/tokens", asked),
    people: (words, after) => request(ports, "GET", withQuery("/api/people", { words, after })),
    add: (asked) => request(ports, "POST", "/api/people", asked),
    change: (id, asked) => request(ports, "PATCH", of(id), asked),
    resetPassword: (id) => request(ports, "PUT", `${of(id)}/password`, {}),
    limits: () => request(ports, "GET", "/api/limits"),
    limit: (asked) => request(ports, "PUT", "/api/limits", asked),
    audit: (before) => request(ports, "GET", withQuery("/api/audit", { before })),
  };
}

function withQuery(path: string, given: Record<string, string | number | null>): string {
  const query = params(given);
  return query === "" ? path : `${path}?${query}`;
}
