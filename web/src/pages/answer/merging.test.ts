import { expect, test } from "vitest";

import { isAnswered, mergeAnswers, withPart } from "./use-saving";

test("what was changed here stays, the rest comes from the other device, and nothing is lost unseen", () => {
  const here = { "1.1": ["mine"], "1.2": ["old"], "1.3": ["same"] };
  const there = { "1.1": ["theirs"], "1.2": ["new"], "1.3": ["same"], "1.4": ["more"] };

  const merged = mergeAnswers(here, there, new Set(["1.1", "1.3"]));

  expect(merged.answers).toEqual({ "1.1": ["mine"], "1.2": ["new"], "1.3": ["same"], "1.4": ["more"] });
  expect(merged.differences).toEqual([{ id: "1.1", there: "theirs" }]);
});

test("a part is changed where it stands", () => {
  expect(withPart(undefined, 1, "b")).toEqual(["", "b"]);
  expect(withPart(["a", "b"], 0, "c")).toEqual(["c", "b"]);
  expect([isAnswered([" "]), isAnswered(undefined), isAnswered(["", "x"])]).toEqual([false, false, true]);
});
