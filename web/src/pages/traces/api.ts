/** What the app asks about runs: what they did, how it went, and what it cost. */

import type { Costs, TraceDetail, TraceEntry, TraceJournal, TraceMoments, TraceRuns, TraceSpan } from "../../wire/generated";
import { type HttpPorts, params, request } from "../../wire/http";

export interface RunFilter {
  query: string;
  door: string | null;
  status: "running" | "waiting" | "success" | "failed" | null;
}

export interface TracesApi {
  runs(filter: RunFilter, before: string | null): Promise<TraceRuns>;
  run(id: string): Promise<TraceDetail>;
  span(id: string, step: string): Promise<TraceSpan>;
  journal(id: string, after: number, limit: number): Promise<TraceJournal>;
  entry(id: string, seq: number): Promise<TraceEntry>;
  moments(id: string, first: number, limit: number): Promise<TraceMoments>;
  /** Where a step stands among the moments: the answer begins with it. */
  momentOf(id: string, step: string): Promise<TraceMoments>;
  costs(days: number, zone: string): Promise<Costs>;
}

export function createTracesApi(ports: HttpPorts): TracesApi {
  const get = <T>(path: string, query: Parameters<typeof params>[0] = {}): Promise<T> => {
    const said = params(query);
    return request(ports, "GET", said === "" ? path : `${path}?${said}`);
  };
  const of = (id: string): string => `/api/traces/${encodeURIComponent(id)}`;
  return {
    runs: (filter, before) => get("/api/traces", { ...filter, before }),
    run: (id) => get(of(id)),
    span: (id, step) => get(`${of(id)}/span`, { step }),
    journal: (id, after, limit) => get(`${of(id)}/journal`, { after, limit }),
    entry: (id, seq) => get(`${of(id)}/journal/${seq}`),
    moments: (id, first, limit) => get(`${of(id)}/moments`, { first, limit }),
    momentOf: (id, step) => get(`${of(id)}/moments`, { step, limit: 1 }),
    costs: (days, zone) => get("/api/costs", { days, zone }),
  };
}
