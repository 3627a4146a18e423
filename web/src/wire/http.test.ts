import { expect, test } from "vitest";

import { strings } from "../strings";
import { FakeServer } from "../testing/fake-server";
import { FakeWorld } from "../testing/fake-world";
import { socketAddress, wakeOnReturn } from "./browser";
import { Connection, parseFrame, renderFrame } from "./driver";
import { ApiError, type HttpPorts, request } from "./http";

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

test("the socket is as safe as the page", () => {
  expect(socketAddress({ protocol: "http:", host: "localhost:3000" })).toBe("ws://localhost:3000/ws");
  expect(socketAddress({ protocol: "https:", host: "paige.example" })).toBe("wss://paige.example/ws");
});

test.each([
  ["the network returns", () => window.dispatchEvent(new Event("online"))],
  ["the tab is looked at", () => document.dispatchEvent(new Event("visibilitychange"))],
])("a waiting connection retries at once when %s", (_, happen) => {
  const world = new FakeWorld();
  const connection = new Connection(world, {
    stateChanged: () => undefined,
    resync: () => Promise.resolve(),
    signInNeeded: () => undefined,
  });
  const leave = wakeOnReturn(connection);
  connection.start();
  world.socket.listener.closed(1006);
  happen();
  expect(world.sockets).toHaveLength(2);
  world.socket.listener.closed(1006);
  leave();
  happen();
  expect(world.sockets).toHaveLength(2);
});

test("a frame is read", () => {
  const text = '{"type":"connection:heartbeat","payload":{},"seq":4,"durable":false,"timestamp":1}';
  expect(parseFrame(text)).toEqual(JSON.parse(text));
});

test("a frame of an unknown type is kept, because its seq counts", () => {
  expect(parseFrame('{"type":"plan:drafted","payload":{},"seq":5,"durable":true,"timestamp":1}')?.seq).toBe(5);
});

test.each(["", "not json", "null", "[]", "{}", '{"type":"x","payload":{},"seq":"1","durable":true}', '{"type":"x","payload":null,"seq":1,"durable":true}'])(
  "%j is not a frame",
  (text) => {
    expect(parseFrame(text)).toBeNull();
  },
);

test("a client frame is written as JSON", () => {
  const hello = {
    type: "connection:hello" as const,
    payload: { version: "1", platform: "web", windowSize: { width: 1, height: 2 } },
  };
  expect(JSON.parse(renderFrame(hello))).toEqual(hello);
});
