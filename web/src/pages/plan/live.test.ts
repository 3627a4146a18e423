import { afterEach, expect, test } from "vitest";

import { joined, useLive } from "./live";
import { transcript } from "./testing/samples";
import { cleanUp } from "./testing/set-up";

afterEach(cleanUp);

const FIRST = { run: "r1", step: "t1/model", attempt: 1, start: 0, text: "One " };

test("words are joined where they belong", () => {
  const one = joined(null, FIRST);
  const two = joined(one, { ...FIRST, start: 4, text: "two" });
  expect(two?.text).toBe("One two");
  // The same words twice are the same words.
  expect(joined(two, { ...FIRST, start: 4, text: "two" })?.text).toBe("One two");
});

test("missing words are noticed", () => {
  expect(joined(null, { ...FIRST, start: 3 })).toBeNull();
  expect(joined({ step: "t1/model", attempt: 1, text: "One" }, { ...FIRST, start: 9 })).toBeNull();
});

test("another attempt and another step start over", () => {
  const before = joined(null, FIRST);
  expect(joined(before, { ...FIRST, attempt: 2, text: "Again" })?.text).toBe("Again");
  expect(joined(before, { ...FIRST, step: "t2/model", text: "Next" })?.text).toBe("Next");
});

test("what the server says replaces what was heard, unless more was heard of the same words", () => {
  const { takeDelta, takeTranscript } = useLive.getState();
  expect(takeDelta({ ...FIRST, text: "One two three" })).toBe(true);
  const writing = { step: "t1/model", attempt: 1, text: "One two" };
  takeTranscript(transcript({ state: "running", writing }));
  expect(useLive.getState().writings.r1?.text).toBe("One two three");
  takeTranscript(transcript({ state: "running", writing: { ...writing, step: "t2/model" } }));
  expect(useLive.getState().writings.r1?.text).toBe("One two");
  takeTranscript(transcript({ state: "waiting", writing: null }));
  expect(useLive.getState().writings.r1).toBeUndefined();
});

test("a tool is shown while it runs", () => {
  const { takeStep, takeTranscript } = useLive.getState();
  const step = { run: "r1", step: "t1/tool/1", name: "read_file" };
  takeStep({ ...step, state: "started" });
  expect(useLive.getState().tools.r1).toBe("read_file");
  takeStep({ ...step, state: "ended" });
  expect(useLive.getState().tools.r1).toBeUndefined();
  takeStep({ ...step, state: "started" });
  takeTranscript(transcript({ state: "ended" }));
  expect(useLive.getState().tools.r1).toBeUndefined();
});
