/** What is asked about worksheets that were handed out: by whoever has a code, and by the teacher. */

import type { AnswerSave, AnswerSheet, HandoutItem, HandoutKept, HandoutMake, HandoutSeen } from "../../wire/generated";
import { type HttpPorts, request } from "../../wire/http";

export interface AnswerApi {
  read(token: string): Promise<AnswerSheet>;
  save(token: string, save: Omit<AnswerSave, "token" | "address">): Promise<AnswerSheet>;
}

export interface HandoutsApi {
  list(): Promise<HandoutItem[]>;
  make(make: HandoutMake): Promise<HandoutSeen>;
  read(id: string): Promise<HandoutSeen>;
  close(id: string): Promise<HandoutSeen>;
  open(id: string): Promise<HandoutSeen>;
  keep(id: string): Promise<HandoutKept>;
}

export function createAnswerApi(ports: HttpPorts): AnswerApi {
  const path = (token: string): string => `/api/answer/${encodeURIComponent(token)}`;
  return {
    read: (token) => request(ports, "GET", path(token)),
    save: (token, save) => request(ports, "PUT", path(token), save),
  };
}

export function createHandoutsApi(ports: HttpPorts): HandoutsApi {
  const path = (id: string): string => `/api/plan/handouts/${encodeURIComponent(id)}`;
  return {
    list: () => request(ports, "GET", "/api/plan/handouts"),
    make: (make) => request(ports, "POST", "/api/plan/handouts", make),
    read: (id) => request(ports, "GET", path(id)),
    close: (id) => request(ports, "POST", `${path(id)}/close`),
    open: (id) => request(ports, "POST", `${path(id)}/open`),
    keep: (id) => request(ports, "POST", `${path(id)}/keep`),
  };
}
