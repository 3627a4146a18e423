/**
 * Runs the connection machine against a socket and timers.
 *
 * The decisions are in `machine.ts`. Socket, timers and randomness are passed in, so that tests decide
 * when time passes.
 */

import type { ClientFrame, ConnectionHello, ServerFrame } from "./generated";
import { type ConnectionEvent, type ConnectionState, type Effect, INITIAL, step } from "./machine";

/** The server beats every 15 s; after two missed beats and some slack it counts as gone. */
export const SILENCE_MS = 40_000;

export interface SocketListener {
  opened(): void;
  message(text: string): void;
  closed(code: number): void;
}

export interface Socket {
  send(text: string): void;
  close(): void;
}

export interface ConnectionPorts {
  openSocket(listener: SocketListener): Socket;
  /** Runs `action` after `ms`, unless the returned function is called before. */
  after(ms: number, action: () => void): () => void;
  random(): number;
  describeClient(): Omit<ConnectionHello["payload"], "lastEventId">;
}

interface ConnectionListener {
  stateChanged(state: ConnectionState): void;
  /** Reads everything again; the connection counts as resynced when the promise settles. */
  resync(): Promise<void>;
  signInNeeded(): void;
}

export class Connection {
  private machine = INITIAL;
  private socket: Socket | null = null;
  private readonly subscribers = new Subscribers();
  private cancelRetry = doNothing;
  private cancelSilence = doNothing;

  constructor(
    private readonly ports: ConnectionPorts,
    private readonly listener: ConnectionListener,
  ) {}

  start(): void {
    this.dispatch({ type: "started" });
  }

  stop(): void {
    this.dispatch({ type: "stopped" });
  }

  /** Tries at once instead of waiting: the network is back, or somebody is looking again. */
  wakeUp(): void {
    this.dispatch({ type: "wokeUp" });
  }

  subscribe<T extends FrameType>(type: T, handler: (frame: FrameOf<T>) => void): () => void {
    return this.subscribers.add(type, handler);
  }

  /** Sends a frame when the server is there to hear it; says whether it was sent. */
  send(frame: ClientFrame): boolean {
    const { name } = this.machine.state;
    if (this.socket === null || (name !== "open" && name !== "resyncing")) return false;
    this.socket.send(renderFrame(frame));
    return true;
  }

  private dispatch(event: ConnectionEvent): void {
    const before = this.machine.state;
    const { machine, effects } = step(this.machine, event);
    this.machine = machine;
    if (machine.state.name !== "waiting") this.cancelRetry();
    if (machine.state !== before) this.listener.stateChanged(machine.state);
    for (const effect of effects) this.perform(effect);
  }

  private perform(effect: Effect): void {
    switch (effect.type) {
      case "openSocket":
        this.openSocket();
        return;
      case "closeSocket":
        this.dropSocket()?.close();
        return;
      case "sendHello":
        this.sendHello(effect.lastEventId);
        return;
      case "awaitHeartbeat":
        this.awaitHeartbeat();
        return;
      case "scheduleRetry":
        this.cancelRetry = this.ports.after(effect.inMs, () => {
          this.dispatch({ type: "retryDue" });
        });
        return;
      case "deliver":
        this.deliver(effect.frame);
        return;
      case "resync":
        void this.resync();
        return;
      case "askToSignIn":
        this.listener.signInNeeded();
        return;
    }
  }

  private openSocket(): void {
    const socket = this.ports.openSocket({
      opened: () => {
        if (this.socket === socket) this.dispatch({ type: "socketOpened" });
      },
      message: (text) => {
        if (this.socket === socket) this.receive(text);
      },
      closed: (code) => {
        if (this.socket !== socket) return;
        this.dropSocket();
        this.dispatch({ type: "socketClosed", code, random: this.ports.random() });
      },
    });
    this.socket = socket;
  }

  /** Forgets the socket first, so that its late events reach nobody. */
  private dropSocket(): Socket | null {
    const socket = this.socket;
    this.socket = null;
    this.cancelSilence();
    return socket;
  }

  private receive(text: string): void {
    const frame = parseFrame(text);
    if (frame === null) {
      console.warn("Paige sent a frame that is not one:", text);
      return;
    }
    this.dispatch({ type: "frameArrived", frame });
  }

  private sendHello(lastEventId: number | null): void {
    const payload = this.ports.describeClient();
    const hello: ConnectionHello = {
      type: "connection:hello",
      payload: lastEventId === null ? payload : { ...payload, lastEventId },
    };
    this.socket?.send(renderFrame(hello));
  }

  private awaitHeartbeat(): void {
    this.cancelSilence();
    this.cancelSilence = this.ports.after(SILENCE_MS, () => {
      this.dispatch({ type: "fellSilent", random: this.ports.random() });
    });
  }

  /** A subscriber that fails is reported; it must not stop the connection. */
  private deliver(frame: ServerFrame): void {
    try {
      this.subscribers.deliver(frame);
    } catch (error) {
      reportError(error);
    }
  }

  private async resync(): Promise<void> {
    try {
      await this.listener.resync();
    } finally {
      this.dispatch({ type: "resynced" });
    }
  }
}

function doNothing(): void {
  // There is no timer to cancel yet.
}

type Handler = (frame: ServerFrame) => void;

/** Who wants to hear of which kind of frame. */
class Subscribers {
  private readonly handlers = new Map<string, Set<Handler>>();

  /** Calls `handler` with every frame of one type, until the returned function is called. */
  add<T extends FrameType>(type: T, handler: (frame: FrameOf<T>) => void): () => void {
    const narrowed: Handler = (frame) => {
      if (isOf(frame, type)) handler(frame);
    };
    const sameType = this.handlers.get(type) ?? new Set();
    this.handlers.set(type, sameType.add(narrowed));
    return () => {
      sameType.delete(narrowed);
    };
  }

  deliver(frame: ServerFrame): void {
    for (const handler of this.handlers.get(frame.type) ?? []) handler(frame);
  }
}

function isOf<T extends FrameType>(frame: ServerFrame, type: T): frame is FrameOf<T> {
  return frame.type === type;
}

// Reading and writing the frames of the WebSocket.

export type FrameType = ServerFrame["type"];
export type FrameOf<T extends FrameType> = Extract<ServerFrame, { type: T }>;

/**
 * The frame in a text, or null when it is not one. Only the envelope is checked: the payloads come from
 * the models that the types are generated from. A type that this version does not know is kept, because
 * its `seq` still counts.
 */
export function parseFrame(text: string): ServerFrame | null {
  const value = parseJson(text);
  return isFrame(value) ? value : null;
}

export function renderFrame(frame: ClientFrame): string {
  return JSON.stringify(frame);
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

function isFrame(value: unknown): value is ServerFrame {
  if (typeof value !== "object" || value === null) return false;
  return (
    "type" in value &&
    typeof value.type === "string" &&
    "payload" in value &&
    typeof value.payload === "object" &&
    value.payload !== null &&
    "seq" in value &&
    typeof value.seq === "number" &&
    "durable" in value &&
    typeof value.durable === "boolean"
  );
}
