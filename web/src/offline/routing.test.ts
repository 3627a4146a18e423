import { expect, test } from "vitest";

import { isGone, type Route, routeOf } from "./routing";

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
