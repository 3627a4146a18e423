import { expect, test, vi } from "vitest";
import { createStore } from "zustand";

import type { ConnectionState } from "../wire/machine";
import { type VersionPorts, watchVersion } from "./version";

interface World {
  tell: ReturnType<typeof vi.fn>;
  reloaded: string[];
  /** The connection opens; before that it was lost. */
  open: () => Promise<void>;
}

function world(ports: Partial<VersionPorts>): World {
  const connection = createStore<ConnectionState>(() => ({ name: "closed", reason: "stopped" }));
  const tell = vi.fn();
  const reloaded: string[] = [];
  watchVersion(connection, {
    own: "one",
    ask: () => Promise.resolve("two"),
    mayBeKept: () => false,
    reloadFor: (version) => {
      reloaded.push(version);
      return true;
    },
    tell,
    ...ports,
  });
  return {
    tell,
    reloaded,
    open: async () => {
      connection.setState({ name: "connecting", attempt: 0 }, true);
      connection.setState({ name: "open" }, true);
      await Promise.resolve();
      await Promise.resolve();
    },
  };
}

test("a page that just came from the server does not ask", async () => {
  const ask = vi.fn(() => Promise.resolve("two"));
  await world({ ask }).open();
  expect(ask).not.toHaveBeenCalled();
});

test("a server that came back with another version is told of, once", async () => {
  const { open, tell, reloaded } = world({});
  await open();
  await open();
  await open();
  expect(tell).toHaveBeenCalledTimes(1);
  expect(reloaded).toEqual([]);
});

test("the same version, or none that is known, is nothing to tell", async () => {
  for (const said of ["one", null]) {
    const { open, tell } = world({ ask: () => Promise.resolve(said) });
    await open();
    await open();
    expect(tell).not.toHaveBeenCalled();
  }
});

test("a kept page that meets a new server is loaded again by itself", async () => {
  const { open, tell, reloaded } = world({ mayBeKept: () => true });
  await open();
  expect(reloaded).toEqual(["two"]);
  expect(tell).not.toHaveBeenCalled();
});

test("loading again that did not help is not tried for ever: the person is told", async () => {
  const { open, tell } = world({ mayBeKept: () => true, reloadFor: () => false });
  await open();
  expect(tell).toHaveBeenCalledTimes(1);
});

test("while developing nothing is asked", async () => {
  const ask = vi.fn(() => Promise.resolve("two"));
  const { open } = world({ own: null, ask, mayBeKept: () => true });
  await open();
  await open();
  expect(ask).not.toHaveBeenCalled();
});
