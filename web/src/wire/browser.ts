/** The browser's socket, timers and wake-up signals, as the connection wants them. */

import { version } from "../../package.json";
import type { Connection, ConnectionPorts, Socket, SocketListener } from "./driver";

export const browserPorts: ConnectionPorts = {
  openSocket: (listener) => openBrowserSocket(socketAddress(window.location), listener),
  after: (ms, action) => {
    const timer = setTimeout(action, ms);
    return () => {
      clearTimeout(timer);
    };
  },
  random: Math.random,
  describeClient: () => ({
    version,
    platform: "web",
    windowSize: { width: window.innerWidth, height: window.innerHeight },
  }),
};

/** The address of the WebSocket of the server that served this page. */
export function socketAddress(page: { protocol: string; host: string }): string {
  return `${page.protocol === "https:" ? "wss:" : "ws:"}//${page.host}/ws`;
}

/** Retries at once when the network returns or the tab is looked at, until the returned function is called. */
export function wakeOnReturn(connection: Connection): () => void {
  const online = (): void => {
    connection.wakeUp();
  };
  const visible = (): void => {
    if (document.visibilityState === "visible") connection.wakeUp();
  };
  window.addEventListener("online", online);
  document.addEventListener("visibilitychange", visible);
  return () => {
    window.removeEventListener("online", online);
    document.removeEventListener("visibilitychange", visible);
  };
}

function openBrowserSocket(address: string, listener: SocketListener): Socket {
  const socket = new WebSocket(address);
  socket.onopen = () => {
    listener.opened();
  };
  socket.onmessage = (event) => {
    listener.message(String(event.data));
  };
  socket.onclose = (event) => {
    listener.closed(event.code);
  };
  return socket;
}
