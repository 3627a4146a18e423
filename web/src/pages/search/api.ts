/** What the app asks across all doors: one search, and what waits. */

import type { Notices, SearchResults } from "../../wire/generated";
import { type HttpPorts, params, request } from "../../wire/http";

export interface FindingApi {
  search(words: string, limit: number, signal?: AbortSignal): Promise<SearchResults>;
  notices(): Promise<Notices>;
}

export function createFindingApi(ports: HttpPorts): FindingApi {
  return {
    search: (words, limit, signal) =>
      request(ports, "GET", `/api/search?${params({ q: words, limit })}`, undefined, signal),
    notices: () => request(ports, "GET", "/api/notices"),
  };
}
