/** A network and a clock that move only when a test says so. */

import type { ConnectionPorts, Socket, SocketListener } from "../wire/driver";

interface Timer {
  due: number;
  action: () => void;
}

class FakeSocket implements Socket {
  readonly sent: string[] = [];
  closed = false;

  constructor(readonly listener: SocketListener) {}

  send(text: string): void {
    this.sent.push(text);
  }

  close(): void {
    this.closed = true;
  }

  /** The server sends a frame. The text is written here, so that tests cross the real parser. */
  receive(type: string, payload: object = {}, { seq = 0, durable = false } = {}): void {
    this.listener.message(JSON.stringify({ type, payload, seq, durable, timestamp: 0 }));
  }
}

export class FakeWorld implements ConnectionPorts {
  readonly sockets: FakeSocket[] = [];
  private now = 0;
  private timers: Timer[] = [];

  openSocket = (listener: SocketListener): Socket => {
    const socket = new FakeSocket(listener);
    this.sockets.push(socket);
    return socket;
  };

  after = (ms: number, action: () => void): (() => void) => {
    const timer = { due: this.now + ms, action };
    this.timers.push(timer);
    return () => {
      this.timers = this.timers.filter((other) => other !== timer);
    };
  };

  random = (): number => 0;

  describeClient: ConnectionPorts["describeClient"] = () => ({
    version: "1.0.0",
    platform: "test",
    windowSize: { width: 800, height: 600 },
  });

  /** The socket opened last. */
  get socket(): FakeSocket {
    const socket = this.sockets.at(-1);
    if (socket === undefined) throw new Error("no socket was opened");
    return socket;
  }

  /** Opens the last socket and lets the server answer the hello. */
  accept({ seq = 0 } = {}): void {
    this.socket.listener.opened();
    this.socket.receive("connection:init", { sessionId: null, capabilities: [], featureFlags: {} }, { seq });
  }

  advance(ms: number): void {
    this.now += ms;
    for (const timer of this.timers.filter(({ due }) => due <= this.now)) {
      this.timers = this.timers.filter((other) => other !== timer);
      timer.action();
    }
  }
}
