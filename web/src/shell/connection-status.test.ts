import { expect, test } from "vitest";

import { strings } from "../strings";
import type { ConnectionState } from "../wire/machine";
import { announce } from "./shell";

const CONNECTING: ConnectionState = { name: "connecting", attempt: 1 };
const WAITING: ConnectionState = { name: "waiting", attempt: 1, retryInMs: 500 };
const OPEN: ConnectionState = { name: "open" };

function announcements(states: ConnectionState[]): string[] {
  let said = "";
  return states.map((state) => (said = announce(said, state)));
}

test("the first connection is not announced", () => {
  expect(announcements([CONNECTING, OPEN])).toEqual(["", ""]);
});

test("a loss is announced once, however often it is retried, and so is the return", () => {
  const { lost, found } = strings.connection;
  expect(announcements([OPEN, WAITING, CONNECTING, WAITING, CONNECTING, OPEN])).toEqual(["", lost, lost, lost, lost, found]);
});
