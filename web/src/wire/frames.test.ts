import { expect, test } from "vitest";

import { parseFrame, renderFrame } from "./frames";

test("a frame is read", () => {
  const text = '{"type":"connection:heartbeat","payload":{},"seq":4,"durable":false,"timestamp":1}';
  expect(parseFrame(text)).toEqual(JSON.parse(text));
});

test("a frame of an unknown type is kept, because its seq counts", () => {
  expect(parseFrame('{"type":"plan:drafted","payload":{},"seq":5,"durable":true,"timestamp":1}')?.seq).toBe(5);
});

test.each(["", "not json", "null", "[]", "{}", '{"type":"x","payload":{},"seq":"1","durable":true}', '{"type":"x","payload":null,"seq":1,"durable":true}'])(
  "%j is not a frame",
  (text) => {
    expect(parseFrame(text)).toBeNull();
  },
);

test("a client frame is written as JSON", () => {
  const hello = {
    type: "connection:hello" as const,
    payload: { version: "1", platform: "web", windowSize: { width: 1, height: 2 } },
  };
  expect(JSON.parse(renderFrame(hello))).toEqual(hello);
});
