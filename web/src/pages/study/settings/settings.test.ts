import { expect, test } from "vitest";

import { PROFILE } from "../progress/samples";
import { changesOf, EASY, wishFor, withDay, withDraft, withWish } from "./draft";
import { timesAt, waitAt } from "./retention";

test("at 90% reviews come as usual, above it more often and below it less", () => {
  expect(timesAt(0.9)).toBeCloseTo(1);
  expect(timesAt(0.95)).toBeCloseTo(2.49, 1);
  expect(timesAt(0.8)).toBeCloseTo(0.3, 1);
  expect(waitAt(0.97) * 10).toBeCloseTo(2.2, 1);
});

test("only what differs is sent", () => {
  expect(changesOf(PROFILE, {})).toEqual({});
  expect(changesOf(PROFILE, { retention: 0.9, sessionMinutes: 25, exams: { malay: null } })).toEqual({});
  const exams = { malay: "2026-06-01" };
  expect(changesOf(PROFILE, { retention: 0.93, exams })).toEqual({ retention: 0.93, exams });
});

test("the page shows what the profile would be", () => {
  const shown = withDraft(PROFILE, { retention: 0.93, exams: { malay: "2026-06-01" } });
  expect(shown.retention).toBe(0.93);
  expect(shown.courses[0]?.exam).toBe("2026-06-01");
  expect(withDraft(shown, { exams: { malay: null } }).courses[0]?.exam).toBeNull();
});

test("a kind of exercise is wanted, left alone or never given, and never two of these", () => {
  expect(wishFor(PROFILE, "flashcard")).toBe("more");
  const never = withWish(PROFILE, "flashcard", "never");
  expect(never).toEqual({ preferred: [], avoided: ["flashcard"] });
  expect(wishFor(withDraft(PROFILE, never), "flashcard")).toBe("never");
  expect(wishFor(PROFILE, "code")).toBe("neutral");
});

test("a day becomes easy and ordinary again", () => {
  const easy = withDay(PROFILE.easyDays, 0, true);
  expect(easy).toEqual([EASY, 1, 1, 1, 1, 0.2, 0.2]);
  expect(withDay(easy, 0, false)).toEqual(PROFILE.easyDays);
});
