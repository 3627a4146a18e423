/**
 * The service worker: keeps the frame of the app, so that it opens when the server does not answer.
 *
 * A page always comes from the server while there is one: an old app is never shown to a new server.
 * A new worker waits until the tabs of the old one are closed, or until somebody asks for the new version.
 */

/// <reference lib="webworker" />

import type { TakeOver } from "./messages";
import { isGone, routeOf } from "./routing";

declare const self: ServiceWorkerGlobalScope;
/** Both are put in by the build: a name for this version, and the files of the frame. */
declare const __BUILD__: string;
declare const __FRAME__: readonly string[];

const PREFIX = "paige-frame-";
const CACHE = `${PREFIX}${__BUILD__}`;
const INDEX = "/";
const TAKE_OVER: TakeOver = "take-over";
const FRAME = new Set(__FRAME__);

self.addEventListener("install", (event) => {
  event.waitUntil(keepFrame());
});

self.addEventListener("activate", (event) => {
  event.waitUntil(removeOldFrames());
});

self.addEventListener("message", (event) => {
  if (event.data === TAKE_OVER) void self.skipWaiting();
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  switch (routeOf(request, self.location.origin, FRAME)) {
    case "leave":
      return;
    case "page":
      event.respondWith(fresh(request, INDEX));
      return;
    case "kept":
      event.respondWith(kept(request));
      return;
    case "fresh":
      event.respondWith(fresh(request, new URL(request.url).pathname));
  }
});

async function keepFrame(): Promise<void> {
  const cache = await caches.open(CACHE);
  // Names with a hash may come from the browser's own cache; the others must be those of this server.
  await cache.addAll(
    [INDEX, ...FRAME].map((path) => new Request(path, { cache: path.startsWith("/assets/") ? "default" : "reload" })),
  );
}

async function removeOldFrames(): Promise<void> {
  const names = await caches.keys();
  await Promise.all(names.filter((name) => name.startsWith(PREFIX) && name !== CACHE).map((name) => caches.delete(name)));
}

async function kept(request: Request): Promise<Response> {
  return (await (await caches.open(CACHE)).match(request)) ?? fetch(request);
}

async function fresh(request: Request, keptAs: string): Promise<Response> {
  const answer = await fetch(request).catch(() => null);
  if (answer !== null && !isGone(answer.status)) return answer;
  const copy = await (await caches.open(CACHE)).match(keptAs);
  return copy ?? answer ?? Response.error();
}
