import { expect, test, vi } from "vitest";

import { FakeWorld } from "../testing/fake-world";
import { Connection, SILENCE_MS } from "./driver";
import type { ConnectionState } from "./machine";

function connect({ resync = () => Promise.resolve() } = {}): {
  world: FakeWorld;
  connection: Connection;
  states: ConnectionState["name"][];
  signIns: number[];
} {
  const world = new FakeWorld();
  const states: ConnectionState["name"][] = [];
  const signIns: number[] = [];
  const connection = new Connection(world, {
    stateChanged: ({ name }) => states.push(name),
    resync,
    signInNeeded: () => signIns.push(1),
  });
  connection.start();
  return { world, connection, states, signIns };
}

test("an opened socket says hello with the client and, after a break, the last event", () => {
  const { world } = connect();
  world.accept({ seq: 3 });
  expect(JSON.parse(world.socket.sent[0] ?? "")).toEqual({
    type: "connection:hello",
    payload: { version: "1.0.0", platform: "test", windowSize: { width: 800, height: 600 } },
  });
  world.socket.receive("plan:drafted", {}, { seq: 4, durable: true });
  world.socket.listener.closed(1006);
  world.advance(500);
  world.socket.listener.opened();
  expect(JSON.parse(world.socket.sent[0] ?? "")).toMatchObject({ payload: { lastEventId: 4 } });
});

test("a connection is reported as connecting, open, waiting, connecting", () => {
  const { world, states } = connect();
  world.accept();
  world.socket.listener.closed(1006);
  world.advance(500);
  expect(states).toEqual(["connecting", "open", "waiting", "connecting"]);
});

test("forty seconds without a frame close the socket and open another", () => {
  const { world } = connect();
  world.accept();
  world.advance(SILENCE_MS - 1);
  world.socket.receive("connection:heartbeat");
  world.advance(SILENCE_MS - 1);
  expect(world.sockets).toHaveLength(1);
  world.advance(1);
  expect(world.socket.closed).toBe(true);
  world.advance(500);
  expect(world.sockets).toHaveLength(2);
});

test("a server that never answers the hello is given up too", () => {
  const { world, states } = connect();
  world.advance(SILENCE_MS);
  expect(world.socket.closed).toBe(true);
  expect(states.at(-1)).toBe("waiting");
});

test("late events of a socket that was given up change nothing", () => {
  const { world, states } = connect();
  world.accept();
  const old = world.socket;
  world.advance(SILENCE_MS);
  world.advance(500);
  world.accept();
  old.listener.closed(1006);
  old.receive("connection:resync", { oldest: 1, latest: 2 });
  expect(states.at(-1)).toBe("open");
});

test("waking up connects at once and cancels the planned retry", () => {
  const { world, connection } = connect();
  world.socket.listener.closed(1006);
  connection.wakeUp();
  expect(world.sockets).toHaveLength(2);
  world.advance(20_000);
  expect(world.sockets).toHaveLength(2);
});

test("stopping closes the socket and no timer brings it back", () => {
  const { world, connection, states } = connect();
  world.accept();
  connection.stop();
  world.advance(SILENCE_MS * 2);
  expect(world.socket.closed).toBe(true);
  expect(world.sockets).toHaveLength(1);
  expect(states.at(-1)).toBe("closed");
});

test("the close code 4401 asks to sign in and does not retry", () => {
  const { world, signIns } = connect();
  world.accept();
  world.socket.listener.closed(4401);
  world.advance(SILENCE_MS);
  expect(signIns).toHaveLength(1);
  expect(world.sockets).toHaveLength(1);
});

test("the close code 1013 reconnects without waiting", () => {
  const { world } = connect();
  world.accept();
  world.socket.listener.closed(1013);
  expect(world.sockets).toHaveLength(2);
});

test("a resync lasts until everything was read again", async () => {
  let finish = (): void => undefined;
  const reading = new Promise<void>((resolve) => {
    finish = resolve;
  });
  const { world, states } = connect({ resync: () => reading });
  world.accept();
  world.socket.receive("connection:resync", { oldest: 5, latest: 9 }, { seq: 9 });
  expect(states.at(-1)).toBe("resyncing");
  finish();
  await vi.waitFor(() => {
    expect(states.at(-1)).toBe("open");
  });
});

test("subscribers hear their own type, until they leave", () => {
  const { world, connection } = connect();
  const heard: string[] = [];
  const leave = connection.subscribe("connection:error", ({ payload }) => heard.push(payload.message));
  world.accept();
  world.socket.receive("connection:error", { code: "X", message: "first", context: null });
  world.socket.receive("connection:heartbeat");
  leave();
  world.socket.receive("connection:error", { code: "X", message: "second", context: null });
  expect(heard).toEqual(["first"]);
});

test("a frame that is not one is reported and otherwise ignored", () => {
  const warn = vi.spyOn(console, "warn").mockReturnValue();
  const { world, states } = connect();
  world.accept();
  world.socket.listener.message("nonsense");
  expect(warn).toHaveBeenCalledOnce();
  expect(states.at(-1)).toBe("open");
  warn.mockClear();
});
