import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { createStore } from "zustand";

import type { ConnectionState } from "../wire/machine";
import { AFTER_MS, registerLater } from "./register";
import { isGone, type Route, routeOf } from "./routing";
import { type VersionPorts, watchVersion } from "./version";

interface World {
  tell: ReturnType<typeof vi.fn>;
  reloaded: string[];
  /** The connection opens; before that it was lost. */
  open: () => Promise<void>;
}

function world(ports: Partial<VersionPorts>): World {
  const connection = createStore<ConnectionState>(() => ({ name: "closed", reason: "stopped" }));
  const tell = vi.fn();
  const reloaded: string[] = [];
  watchVersion(connection, {
    own: "one",
    ask: () => Promise.resolve("two"),
    mayBeKept: () => false,
    reloadFor: (version) => {
      reloaded.push(version);
      return true;
    },
    tell,
    ...ports,
  });
  return {
    tell,
    reloaded,
    open: async () => {
      connection.setState({ name: "connecting", attempt: 0 }, true);
      connection.setState({ name: "open" }, true);
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

test("a page that just came from the server does not ask", async () => {
  const ask = vi.fn(() => Promise.resolve("two"));
  await world({ ask }).open();
  expect(ask).not.toHaveBeenCalled();
});

test("a server that came back with another version is told of, once", async () => {
  const { open, tell, reloaded } = world({});
  await open();
  await open();
  await open();
  expect(tell).toHaveBeenCalledTimes(1);
  expect(reloaded).toEqual([]);
});

test("the same version, or none that is known, is nothing to tell", async () => {
  for (const said of ["one", null]) {
    const { open, tell } = world({ ask: () => Promise.resolve(said) });
    await open();
    await open();
    expect(tell).not.toHaveBeenCalled();
  }
});

test("a kept page that meets a new server is loaded again by itself", async () => {
  const { open, tell, reloaded } = world({ mayBeKept: () => true });
  await open();
  expect(reloaded).toEqual(["two"]);
  expect(tell).not.toHaveBeenCalled();
});

test("loading again that did not help is not tried for ever: the person is told", async () => {
  const { open, tell } = world({ mayBeKept: () => true, reloadFor: () => false });
  await open();
  expect(tell).toHaveBeenCalledTimes(1);
});

test("while developing nothing is asked", async () => {
  const ask = vi.fn(() => Promise.resolve("two"));
  const { open } = world({ own: null, ask, mayBeKept: () => true });
  await open();
  await open();
  expect(ask).not.toHaveBeenCalled();
});

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

function withWorker(register: () => Promise<unknown>): void {
  vi.stubGlobal("navigator", { serviceWorker: { register } });
}

test("the worker is put to work only after the page had its time", () => {
  const register = vi.fn(() => Promise.resolve());
  withWorker(register);
  registerLater(window);
  vi.advanceTimersByTime(AFTER_MS - 1);
  expect(register).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(register).toHaveBeenCalledTimes(1);
});

test("a worker that is refused disturbs nobody", async () => {
  withWorker(() => Promise.reject(new Error("refused")));
  registerLater(window);
  await vi.advanceTimersByTimeAsync(AFTER_MS);
});

test("without workers nothing is tried", () => {
  vi.stubGlobal("navigator", {});
  registerLater(window);
  expect(vi.getTimerCount()).toBe(0);
});

const ORIGIN = "http://127.0.0.1:3000";
const KEPT = new Set(["/theme.js", "/assets/main-1234.js"]);

function route(path: string, mode = "cors", method = "GET"): Route {
  return routeOf({ url: new URL(path, ORIGIN).href, mode, method }, ORIGIN, KEPT);
}

test("a page is asked of the server first", () => {
  expect(route("/", "navigate")).toBe("page");
  expect(route("/study/french/session?x=1", "navigate")).toBe("page");
  expect(route("/apiary", "navigate")).toBe("page");
});

test("what the server says never comes from a store, also when it is opened like a page", () => {
  for (const path of ["/api/setup", "/api", "/health", "/mcp", "/ws", "/hooks/check", "/docs/"]) {
    expect(route(path)).toBe("leave");
    expect(route(path, "navigate")).toBe("leave");
  }
});

test("files of the frame come from the store when their name holds their content, else from the server first", () => {
  expect(route("/assets/main-1234.js")).toBe("kept");
  expect(route("/theme.js", "no-cors")).toBe("fresh");
});

test("everything else is left alone", () => {
  expect(route("/assets/graph-9999.js")).toBe("leave");
  expect(route("/theme.js", "cors", "POST")).toBe("leave");
  expect(route("/", "navigate", "POST")).toBe("leave");
  expect(route("http://elsewhere.test/theme.js")).toBe("leave");
});

test("a proxy without a Paige behind it counts as no answer", () => {
  expect([502, 503, 504].every(isGone)).toBe(true);
  expect([200, 304, 404, 500].some(isGone)).toBe(false);
});
