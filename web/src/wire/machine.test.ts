import { expect, test } from "vitest";

import { parseFrame } from "./driver";
import type { ServerFrame } from "./generated";
import { CLOSE_TOO_SLOW, type ConnectionEvent, INITIAL, type Machine, retryDelay, step } from "./machine";

function frame(type: string, payload: object, seq: number, durable: boolean): ServerFrame {
  const parsed = parseFrame(JSON.stringify({ type, payload, seq, durable, timestamp: 0 }));
  if (parsed === null) throw new Error("the test wrote a bad frame");
  return parsed;
}

const init = (seq: number): ConnectionEvent => ({ type: "frameArrived", frame: frame("connection:init", {}, seq, false) });
const beat = (seq: number): ConnectionEvent => ({ type: "frameArrived", frame: frame("connection:heartbeat", {}, seq, false) });
const durable = (seq: number): ConnectionEvent => ({ type: "frameArrived", frame: frame("plan:drafted", {}, seq, true) });
const resync = (oldest: number, latest: number): ConnectionEvent => ({
  type: "frameArrived",
  frame: frame("connection:resync", { oldest, latest }, latest, false),
});
const lost: ConnectionEvent = { type: "socketClosed", code: 1006, random: 0 };

function run(events: ConnectionEvent[], start: Machine = INITIAL): Machine {
  return events.reduce((machine, event) => step(machine, event).machine, start);
}

const OPEN = run([{ type: "started" }, { type: "socketOpened" }, init(10)]);

function delivered(events: ConnectionEvent[]): number[] {
  let machine = OPEN;
  return events.flatMap((event) => {
    const { machine: next, effects } = step(machine, event);
    machine = next;
    return effects.flatMap((effect) => (effect.type === "deliver" ? [effect.frame.seq] : []));
  });
}

test("an open socket is not yet an open connection; the answer to the hello makes it one", () => {
  expect(run([{ type: "started" }, { type: "socketOpened" }]).state).toEqual({ name: "connecting", attempt: 0 });
  expect(OPEN.state).toEqual({ name: "open" });
});

test("starting twice opens one socket", () => {
  expect(step(OPEN, { type: "started" }).effects).toEqual([]);
});

test("every failed attempt waits longer, and only an open connection starts over", () => {
  const failedTwice = run([{ type: "started" }, lost, { type: "retryDue" }, lost]);
  expect(failedTwice.state).toEqual({ name: "waiting", attempt: 2, retryInMs: 500 });
  const failedThrice = run([{ type: "retryDue" }, lost], failedTwice);
  expect(failedThrice.state).toEqual({ name: "waiting", attempt: 3, retryInMs: 1_000 });
  const reopened = run([{ type: "retryDue" }, { type: "socketOpened" }, init(10), lost], failedThrice);
  expect(reopened.state).toEqual({ name: "waiting", attempt: 1, retryInMs: 500 });
});

test("a server that accepts and closes at once counts as failed", () => {
  const closedAtOnce = run([{ type: "started" }, { type: "socketOpened" }, lost, { type: "retryDue" }, { type: "socketOpened" }, lost]);
  expect(closedAtOnce.state).toMatchObject({ name: "waiting", attempt: 2 });
});

test("waking up skips the wait, and does nothing when there is none", () => {
  const waiting = run([lost], OPEN);
  expect(step(waiting, { type: "wokeUp" }).effects).toContainEqual({ type: "openSocket" });
  expect(step(OPEN, { type: "wokeUp" })).toEqual({ machine: OPEN, effects: [] });
});

test("durable frames are delivered once each", () => {
  expect(delivered([durable(11), durable(12), durable(11), durable(12), durable(13)])).toEqual([11, 12, 13]);
});

test("answers and heartbeats repeat the current seq and are all delivered", () => {
  expect(delivered([durable(11), beat(11), beat(11)])).toEqual([11, 11, 11]);
});

test("a durable frame with the seq of an earlier heartbeat is delivered", () => {
  expect(delivered([beat(11), durable(11)])).toEqual([11, 11]);
});

test("the hello after a break names the last event seen", () => {
  const again = run([durable(11), durable(12), lost, { type: "retryDue" }], OPEN);
  expect(step(again, { type: "socketOpened" }).effects).toEqual([{ type: "sendHello", lastEventId: 12 }]);
});

test("the first hello names no event, and the next one what the first answer said", () => {
  const first = run([{ type: "started" }]);
  expect(step(first, { type: "socketOpened" }).effects).toEqual([{ type: "sendHello", lastEventId: null }]);
  expect(OPEN.resumeFrom).toBe(10);
});

test("a break in the middle of a replay does not skip the rest of it", () => {
  // The answer and the beat say 20 while the server still replays 11 to 20.
  const broken = run([lost, { type: "retryDue" }, { type: "socketOpened" }, init(20), durable(11), beat(20), lost], OPEN);
  expect(broken.resumeFrom).toBe(11);
});

test("a resync reads everything again and goes on from the latest event", () => {
  const { machine, effects } = step(OPEN, resync(50, 90));
  expect(machine).toEqual({ state: { name: "resyncing" }, resumeFrom: 90, lastDurable: 90 });
  expect(effects).toContainEqual({ type: "resync" });
  expect(run([{ type: "resynced" }], machine).state).toEqual({ name: "open" });
});

test("after a resync to a smaller seq, as of a restored database, new events are delivered", () => {
  expect(delivered([durable(80), resync(1, 3), durable(4)])).toEqual([80, 3, 4]);
});

test("a resync before the answer to the hello ends in an open connection", () => {
  const state = run([{ type: "started" }, { type: "socketOpened" }, resync(1, 5), init(5), { type: "resynced" }]).state;
  expect(state).toEqual({ name: "open" });
});

test("a resync that ends after the connection broke does not open it", () => {
  expect(run([resync(1, 5), lost, { type: "resynced" }], OPEN).state.name).toBe("waiting");
});

test("being too slow reconnects at once, but never twice in a row", () => {
  const tooSlow: ConnectionEvent = { type: "socketClosed", code: CLOSE_TOO_SLOW, random: 0 };
  const again = run([tooSlow], OPEN);
  expect(again.state).toEqual({ name: "connecting", attempt: 0 });
  expect(run([tooSlow], again).state.name).toBe("waiting");
});

test("a missing passcode closes the connection for good and asks to sign in", () => {
  const { machine, effects } = step(OPEN, { type: "socketClosed", code: 4401, random: 0 });
  expect(machine.state).toEqual({ name: "closed", reason: "sign-in" });
  expect(effects).toEqual([{ type: "askToSignIn" }]);
});

test("silence closes the socket and retries", () => {
  const { machine, effects } = step(OPEN, { type: "fellSilent", random: 0 });
  expect(machine.state.name).toBe("waiting");
  expect(effects).toEqual([{ type: "closeSocket" }, { type: "scheduleRetry", inMs: 500 }]);
});

test("the first retry comes after half a second, whatever the dice say", () => {
  expect(retryDelay(0, 0)).toBe(500);
  expect(retryDelay(0, 0.999)).toBe(500);
});

test("the wait doubles and stops growing at fifteen seconds", () => {
  expect([1, 2, 3, 4, 5, 50].map((attempt) => retryDelay(attempt, 1))).toEqual([
    1_000, 2_000, 4_000, 8_000, 15_000, 15_000,
  ]);
});

test("the dice move the wait by up to half of it", () => {
  expect(retryDelay(4, 0)).toBe(4_000);
  expect(retryDelay(4, 0.5)).toBe(6_000);
});
