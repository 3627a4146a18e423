/**
 * The connection as a pure machine: a state and an event in, the next state and a list of effects out.
 *
 * It holds no socket and no timer. `driver.ts` turns events of the browser into events of the machine
 * and carries out the effects.
 */

import type { ServerFrame } from "./generated";

export type ConnectionState =
  | { name: "closed"; reason: "stopped" | "sign-in" }
  | { name: "connecting"; attempt: number }
  | { name: "open" }
  | { name: "resyncing" }
  | { name: "waiting"; attempt: number; retryInMs: number };

export interface Machine {
  state: ConnectionState;
  /** What to tell the server on the next hello: it replays every durable event after this one. */
  resumeFrom: number | null;
  /** The last durable event handed to subscribers. */
  lastDurable: number | null;
}

export type ConnectionEvent =
  | { type: "started" }
  | { type: "stopped" }
  | { type: "socketOpened" }
  | { type: "frameArrived"; frame: ServerFrame }
  | { type: "socketClosed"; code: number; random: number }
  | { type: "fellSilent"; random: number }
  | { type: "retryDue" }
  | { type: "wokeUp" }
  | { type: "resynced" };

export type Effect =
  | { type: "openSocket" }
  | { type: "closeSocket" }
  | { type: "sendHello"; lastEventId: number | null }
  | { type: "awaitHeartbeat" }
  | { type: "scheduleRetry"; inMs: number }
  | { type: "deliver"; frame: ServerFrame }
  | { type: "resync" }
  | { type: "askToSignIn" };

interface Step {
  machine: Machine;
  effects: Effect[];
}

/** The close codes that Paige's server gives a meaning. */
const CLOSE_SIGN_IN_NEEDED = 4401;
export const CLOSE_TOO_SLOW = 1013;

export const INITIAL: Machine = {
  state: { name: "closed", reason: "stopped" },
  resumeFrom: null,
  lastDurable: null,
};

/** What happens to the connection when `event` does. */
export function step(machine: Machine, event: ConnectionEvent): Step {
  const { state } = machine;
  switch (event.type) {
    case "started":
      return state.name === "closed" ? connect(machine, 0) : stay(machine);
    case "stopped":
      return close(machine, "stopped", [{ type: "closeSocket" }]);
    case "socketOpened":
      return { machine, effects: [{ type: "sendHello", lastEventId: machine.resumeFrom }] };
    case "frameArrived":
      return receive(machine, event.frame);
    case "socketClosed":
      return socketClosed(machine, event.code, event.random);
    case "fellSilent":
      return retryLater(machine, event.random, [{ type: "closeSocket" }]);
    case "retryDue":
    case "wokeUp":
      return state.name === "waiting" ? connect(machine, state.attempt) : stay(machine);
    case "resynced":
      return state.name === "resyncing" ? stay({ ...machine, state: { name: "open" } }) : stay(machine);
  }
}

function stay(machine: Machine): Step {
  return { machine, effects: [] };
}

function connect(machine: Machine, attempt: number): Step {
  return {
    machine: { ...machine, state: { name: "connecting", attempt } },
    effects: [{ type: "openSocket" }, { type: "awaitHeartbeat" }],
  };
}

function close(machine: Machine, reason: "stopped" | "sign-in", effects: Effect[]): Step {
  return { machine: { ...machine, state: { name: "closed", reason } }, effects };
}

function socketClosed(machine: Machine, code: number, random: number): Step {
  if (code === CLOSE_SIGN_IN_NEEDED) return close(machine, "sign-in", [{ type: "askToSignIn" }]);
  // Only a connection that had worked: a server that refuses every newcomer must not be hammered.
  if (code === CLOSE_TOO_SLOW && isReady(machine.state)) return connect(machine, 0);
  return retryLater(machine, random, []);
}

function retryLater(machine: Machine, random: number, effects: Effect[]): Step {
  const attempt = machine.state.name === "connecting" ? machine.state.attempt : 0;
  const retryInMs = retryDelay(attempt, random);
  return {
    machine: { ...machine, state: { name: "waiting", attempt: attempt + 1, retryInMs } },
    effects: [...effects, { type: "scheduleRetry", inMs: retryInMs }],
  };
}

function receive(machine: Machine, frame: ServerFrame): Step {
  const { lastDurable } = machine;
  if (frame.durable && lastDurable !== null && frame.seq <= lastDurable) {
    return { machine, effects: [{ type: "awaitHeartbeat" }] };
  }
  const effects: Effect[] = [{ type: "awaitHeartbeat" }, { type: "deliver", frame }];
  if (frame.type === "connection:resync") {
    const { latest } = frame.payload;
    return {
      machine: { state: { name: "resyncing" }, resumeFrom: latest, lastDurable: latest },
      effects: [...effects, { type: "resync" }],
    };
  }
  const noticed = notice(machine, frame);
  if (frame.type === "connection:init" && machine.state.name === "connecting") {
    return { machine: { ...noticed, state: { name: "open" } }, effects };
  }
  return { machine: noticed, effects };
}

/**
 * Moves the place to resume from. The first frame gives it; after that only durable frames do. Answers
 * and heartbeats carry the server's current `seq`, and they can overtake the events that are being
 * replayed: resuming from theirs after a break in that moment would lose those events.
 */
function notice(machine: Machine, frame: ServerFrame): Machine {
  if (frame.durable) {
    const resumeFrom = Math.max(frame.seq, machine.resumeFrom ?? frame.seq);
    return { ...machine, resumeFrom, lastDurable: frame.seq };
  }
  return { ...machine, resumeFrom: machine.resumeFrom ?? frame.seq };
}

function isReady(state: ConnectionState): boolean {
  return state.name === "open" || state.name === "resyncing";
}

// How long to wait before the next try to connect.

const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * Doubles with every failed attempt (0, 1, 2, …). `random` in [0, 1) spreads browsers out, so that a
 * restarted server does not meet all of them in the same instant.
 */
export function retryDelay(attempt: number, random: number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return Math.round(Math.max(FIRST_MS, ceiling * (0.5 + random / 2)));
}
