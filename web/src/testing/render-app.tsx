/** The whole app in front of a fake server, at one address. */

import { render } from "@testing-library/react";
import userEvent, { PointerEventsCheckLevel, type UserEvent } from "@testing-library/user-event";

import { App } from "../app";
import { createServices, type Services } from "../services";
import { FakeServer } from "./fake-server";
import { FakeWorld } from "./fake-world";
import { NO_PASSCODE, SETUP } from "./samples";

interface RenderedApp {
  server: FakeServer;
  world: FakeWorld;
  services: Services;
  user: UserEvent;
}

export function goodServer(): FakeServer {
  return new FakeServer().answer("GET /api/session", NO_PASSCODE).answer("GET /api/setup", SETUP);
}

export function renderApp(path = "/", server = goodServer()): RenderedApp {
  window.history.replaceState(null, "", path);
  const world = new FakeWorld();
  const services = createServices({ fetch: server.fetch, connection: world });
  // No styles are loaded here, and a notice can be pressed only a moment after it has come.
  const user = userEvent.setup({ pointerEventsCheck: PointerEventsCheckLevel.Never });
  render(<App services={services} />);
  return { server, world, services, user };
}
