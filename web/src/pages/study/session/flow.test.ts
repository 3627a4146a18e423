import { expect, test } from "vitest";

import { askedIn, isClosed, newResult, saidAbout, testFileOf, toneOf, unsaid, withoutErrands, withoutRepeats } from "./flow";
import { exercise, question, result, step } from "./testing/samples";

test("a question is found in its body, with what stands before and behind it", () => {
  const asked = question({ context: "At a market.", starter: "x = 1\n", choices: ["one", "two"] });
  const body = "An example.\n\nAt a market.\n\n```\nx = 1\n```\n\nWhat does “tolong” mean?\n\nA. one\nB. two\n\nThe answer: A.";
  expect(askedIn(exercise({ questions: [asked], body }))).toEqual({ intro: "An example.", question: asked, back: "The answer: A." });
});

test("a body that reads otherwise is shown as it is", () => {
  expect(askedIn(exercise({ body: "Something else" }))).toBeNull();
  expect(askedIn(exercise({ asking: null }))).toBeNull();
});

test("another try at the same question does not end it; the next question does", () => {
  const before = step();
  const again = step({ step: 2, says: ["Not yet."], exercise: exercise({ attempts: 1 }) });
  const next = step({ step: 2, says: ["Right."], exercise: exercise({ asking: "2" }) });
  expect([isClosed(before, again), isClosed(before, next)]).toEqual([false, true]);
});

test("going on after a lesson needs no talk", () => {
  expect(isClosed(step({ stage: "teach", exercise: null }), step({ stage: "check", exercise: null, says: ["x"] }))).toBe(false);
});

test("a result counts only for the exercise it is about", () => {
  const before = step();
  expect(newResult(before, step({ result: result() }))?.exerciseId).toBe("e1");
  expect(newResult(before, step({ result: result({ exerciseId: "e0" }) }))).toBeNull();
});

test.each([
  ["Correct: help.", "right"],
  ["Right.", "right"],
  ["Nearly. Look at the end.", "nearly"],
  ["Not yet. Think again.", "wrong"],
  ["The answer: help.", "wrong"],
  ["Left out.", "neutral"],
])("“%s” sounds %s", (line, tone) => {
  expect(toneOf([line], null)).toBe(tone);
  expect(toneOf(["Sam: Thank you!", line], null)).toBe(tone);
});

test("a result that measured nothing is neither right nor wrong", () => {
  expect(toneOf(["Not yet."], result({ gradable: false }))).toBe("neutral");
  expect(toneOf([], result({ score: { correct: 8, total: 10, percentage: 0.8 } }))).toBe("right");
});

test("what is shown in detail is not said twice", () => {
  const answers = [
    { question: "1.1", prompt: "a", expected: "b", actual: "c", verdict: "incorrect", score: 0, feedback: "" },
    { question: "1.2", prompt: "d", expected: "e", actual: "e", verdict: "correct", score: 1, feedback: "" },
  ] as const;
  const says = ["1 of 2 right.", "1.1: It is b.", "Well read.", "It comes back tomorrow."];
  expect(unsaid(says, result({ answers: [...answers], strengths: ["Well read."] }))).toEqual(["It comes back tomorrow."]);
  expect(saidAbout("1.1", says)).toBe("It is b.");
  expect(saidAbout("1.2", says)).toBeNull();
  expect(withoutRepeats(["test_one: assert None == 2", "assert None == 2"])).toHaveLength(1);
});

test("how to open files in a terminal is left out", () => {
  const body = "Compare the two.\n\n1. how\n\nAt least 20 words.\n\nOpen `a/b.md` in your editor and save it. Or write your answer here.";
  expect(withoutErrands(body)).toBe("Compare the two.\n\n1. how");
  expect(withoutErrands("10 questions. Open `a.md` in your editor")).toBe("");
});

test("tests that one may read are those of the exercise", () => {
  expect(testFileOf(exercise({ file: "l/x", run: "python3 l/x/test_exercise.py" }))).toBe("l/x/test_exercise.py");
  expect(testFileOf(exercise({ file: "l/x", run: null }))).toBeNull();
});
