import { expect, test } from "vitest";

import { question } from "./testing/samples";
import { aroundGaps, countWords, joinGaps, sectionsOf } from "./worksheet";

test.each([
  ["thank you: ___", ["thank you: ", ""]],
  ["About ___ to seven, nearer to ___.", ["About ", " to seven, nearer to ", "."]],
  ["selamat pagi", ["selamat pagi ", ""]],
])("the gaps of “%s”", (prompt, parts) => {
  expect(aroundGaps(question({ prompt }))).toEqual(parts);
});

test("letters that are to be chosen are not read out twice", () => {
  const asked = question({ kind: "choice", prompt: "Which fits? (A) one (B) two ___", choices: ["one", "two"] });
  expect(aroundGaps(asked)).toEqual(["Which fits? ", ""]);
});

test("gaps become one answer, and nothing stays nothing", () => {
  expect(joinGaps(["false", "the host stays; the guest goes"])).toBe("false; the host stays; the guest goes");
  expect(joinGaps(["a; b", "c"])).toBe("a, b; c");
  expect(joinGaps(["", " "])).toBe("");
  expect(joinGaps(["", "c"])).toBe("; c");
});

test("sections take their words from the file, and do without them", () => {
  const file = "# Sheet\n\n## Section 1: True or False\n\nSay why.\n\n1. It is. ___\n\n## Section 2: Match\n\n| a | b |\n";
  const questions = [question({ id: "1.1" }), question({ id: "2.1" }), question({ id: "2.2" })];
  expect(sectionsOf(questions, file).map(({ title, intro, questions: all }) => [title, intro, all.length])).toEqual([
    ["True or False", "Say why.", 1],
    ["Match", "", 2],
  ]);
  expect(sectionsOf([question({ id: "1.1", context: "x = 1" })], "")[0]).toMatchObject({ title: "", intro: "x = 1" });
});

test.each([
  ["", 0],
  ["One two-three, it’s four.", 4],
  ["Ça va été", 3],
])("the words of “%s”", (text, count) => {
  expect(countWords(text)).toBe(count);
});
