/** What the app asks the memory. */

import type {
  MemoryAdded,
  MemoryDelete,
  MemoryDeleted,
  MemoryDocument,
  MemoryEdit,
  MemoryFile,
  MemoryForget,
  MemoryForgotten,
  MemoryFound,
  MemoryItem,
  MemoryOverview,
  MemoryPolicies,
  MemoryRecent,
  MemoryShown,
  MemoryWrite,
  MemoryWritten,
} from "../../wire/generated";
import { type HttpPorts, request } from "../../wire/http";

export interface MemoryFilter {
  scope: MemoryItem["scope"] | null;
  project: string | null;
}

export interface MemoryQuestion extends MemoryFilter {
  query: string;
  k: number;
  history: boolean;
}

export interface MemoryApi {
  overview(): Promise<MemoryOverview>;
  search(question: MemoryQuestion): Promise<MemoryFound>;
  recent(filter: MemoryFilter, limit: number): Promise<MemoryRecent>;
  show(id: string): Promise<MemoryShown>;
  edit(id: string, text: string): Promise<MemoryAdded>;
  planForgetting(id: string): Promise<MemoryForgotten>;
  forget(id: string): Promise<MemoryForgotten>;
  files(): Promise<MemoryFile[]>;
  readFile(path: string): Promise<MemoryDocument>;
  writeFile(path: string, write: Omit<MemoryWrite, "path">): Promise<MemoryWritten>;
  deleteFile(path: string, base: string): Promise<MemoryDeleted>;
  policies(): Promise<MemoryPolicies>;
}

export function createMemoryApi(ports: HttpPorts): MemoryApi {
  return {
    overview: () => request(ports, "GET", "/api/memory"),
    search: ({ query, k, scope, project, history }) =>
      request(ports, "GET", `/api/memory/search?${params({ query, k, scope, project, history: history ? "true" : null })}`),
    recent: ({ scope, project }, limit) =>
      request(ports, "GET", `/api/memory/recent?${params({ limit, scope, project })}`),
    show: (id) => request(ports, "GET", eventPath(id)),
    edit: (id, text) => request(ports, "PATCH", eventPath(id), { text } satisfies Omit<MemoryEdit, "id">),
    planForgetting: (id) =>
      request(ports, "POST", "/api/memory/forget", { ids: [id], dryRun: true } satisfies MemoryForget),
    forget: (id) => request(ports, "DELETE", eventPath(id)),
    files: () => request(ports, "GET", "/api/memory/files"),
    readFile: (path) => request(ports, "GET", filePath(path)),
    writeFile: (path, write) => request(ports, "PUT", filePath(path), write),
    deleteFile: (path, base) => request(ports, "DELETE", filePath(path), { base } satisfies Omit<MemoryDelete, "path">),
    policies: () => request(ports, "GET", "/api/memory/policies"),
  };
}

/** The parts of a query that say something. */
function params(given: Record<string, string | number | null>): string {
  const said = Object.entries(given).flatMap(([name, value]) => (value === null ? [] : [[name, String(value)]]));
  return new URLSearchParams(said).toString();
}

function eventPath(id: string): string {
  return `/api/memory/events/${encodeURIComponent(id)}`;
}

function filePath(path: string): string {
  return `/api/memory/files/${path.split("/").map(encodeURIComponent).join("/")}`;
}
