/** What the app asks the coach over HTTP; what a person does goes over the socket. */

import type { CoachFile, CoachGaps, CoachOverview, CoachSessionSeen, DashboardState } from "../../wire/generated";
import { type HttpPorts, request } from "../../wire/http";

export const PERIODS = ["7d", "30d", "all"] as const;
export type Period = (typeof PERIODS)[number];
export type Dashboard = DashboardState["payload"];

export interface CoachApi {
  overview(): Promise<CoachOverview>;
  /** A file as it is on the disk; it is not opened for anyone. */
  file(path: string): Promise<CoachFile>;
  /** A session, open or over. */
  session(id: string): Promise<CoachSessionSeen>;
  dashboard(period: Period): Promise<Dashboard>;
  /** What sessions showed to be missing, with what became of it in Study. */
  gaps(): Promise<CoachGaps>;
}

export function createCoachApi(ports: HttpPorts): CoachApi {
  return {
    overview: () => request(ports, "GET", "/api/coach"),
    file: (path) => request(ports, "GET", `/api/coach/file?${new URLSearchParams({ path }).toString()}`),
    session: (id) => request(ports, "GET", `/api/coach/sessions/${encodeURIComponent(id)}`),
    dashboard: (period) => request(ports, "GET", `/api/coach/dashboard?period=${period}`),
    gaps: () => request(ports, "GET", "/api/coach/gaps"),
  };
}
