import { expect, test } from "vitest";

import { FakeWorld } from "../testing/fake-world";
import { socketAddress, wakeOnReturn } from "./browser";
import { Connection } from "./driver";

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
