import { expect, test } from "vitest";

import { strings } from "../strings";
import { FakeServer } from "../testing/fake-server";
import { ApiError } from "./errors";
import { type HttpPorts, request } from "./http";

function ports(server: FakeServer, csrf: string | null = "token"): HttpPorts {
  return { fetch: server.fetch, csrf: () => csrf };
}

async function failure(question: Promise<unknown>): Promise<ApiError> {
  const error: unknown = await question.then(
    () => new Error("it did not fail"),
    (reason: unknown) => reason,
  );
  if (error instanceof ApiError) return error;
  throw error;
}

test("an answer is returned as it is", async () => {
  const server = new FakeServer().answer("GET /api/x", { value: 1 });
  expect(await request(ports(server), "GET", "/api/x")).toEqual({ value: 1 });
});

test("an error of the server keeps its message, its hint and its status", async () => {
  const server = new FakeServer().fail("GET /api/x", 503, "The database is locked", "Stop the other Paige.");
  const error = await failure(request(ports(server), "GET", "/api/x"));
  expect(error).toMatchObject({ message: "The database is locked", hint: "Stop the other Paige.", status: 503 });
});

test("no answer at all says how to start Paige", async () => {
  const error = await failure(request(ports(new FakeServer().lose("GET /api/x")), "GET", "/api/x"));
  expect(error).toMatchObject({ message: strings.errors.unreachable, hint: strings.errors.unreachableHint, status: null });
});

test.each([200, 502])("a page of somebody else with status %i is an error that says so", async (status) => {
  const server = new FakeServer().answer("GET /api/x", "<html>", status);
  const error = await failure(request(ports(server), "GET", "/api/x"));
  expect(error.message).toBe(strings.errors.unreadable(status));
});

test("unsafe requests carry the CSRF value, safe ones do not", async () => {
  const server = new FakeServer().answer("GET /api/x", {}).answer("DELETE /api/x", {});
  await request(ports(server), "GET", "/api/x");
  await request(ports(server), "DELETE", "/api/x");
  expect(server.asked.map(({ headers }) => headers.get("X-Paige-CSRF"))).toEqual([null, "token"]);
});

test("before there is a session, no CSRF header is sent", async () => {
  const server = new FakeServer().answer("POST /api/x", {});
  await request(ports(server, null), "POST", "/api/x", { passcode: "abc" });
  expect(server.asked[0]?.headers.has("X-Paige-CSRF")).toBe(false);
  expect(server.asked[0]?.body).toEqual({ passcode: "abc" });
});
