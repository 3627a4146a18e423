/** The whole app in front of a fake server, at one address. */

import { render } from "@testing-library/react";
import userEvent, { type UserEvent } from "@testing-library/user-event";

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
  const user = userEvent.setup();
  render(<App services={services} />);
  return { server, world, services, user };
}
