/**
 * Which requests the service worker answers, as a pure decision.
 *
 * It leaves everything alone but two kinds: pages, and files of the app's frame. What the server
 * says (`/api`, `/ws`, `/mcp`, `/health`, `/hooks`, `/docs`) is never kept and never comes from a cache.
 */

interface Asked {
  method: string;
  mode: string;
  url: string;
}

/**
 * - `leave`: as if there were no worker
 * - `page`: ask the server; only when it does not answer, the frame that was kept
 * - `kept`: the name holds a hash of the content, so the kept copy is the right one
 * - `fresh`: ask the server; only when it does not answer, the kept copy
 */
export type Route = "leave" | "page" | "kept" | "fresh";

const NOT_PAGES = /^\/(?:api|assets|docs|health|hooks|mcp|ws)(?:\/|$)/;

/** How to answer a request, given the address of the app and the files that are kept. */
export function routeOf({ method, mode, url }: Asked, origin: string, kept: ReadonlySet<string>): Route {
  const address = new URL(url);
  if (method !== "GET" || address.origin !== origin) return "leave";
  if (mode === "navigate") return NOT_PAGES.test(address.pathname) ? "leave" : "page";
  if (!kept.has(address.pathname)) return "leave";
  return address.pathname.startsWith("/assets/") ? "kept" : "fresh";
}

/** Whether an answer comes from a proxy in front of a Paige that is not there. */
export function isGone(status: number): boolean {
  return status === 502 || status === 503 || status === 504;
}
