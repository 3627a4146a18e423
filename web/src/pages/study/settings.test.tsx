import { fireEvent, screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import type { FakeServer } from "../../testing/fake-server";
import { goodServer, renderApp } from "../../testing/render-app";
import { changesOf, EASY, timesAt, waitAt, wishFor, withDay, withDraft, withWish } from "./settings";
import { settingsStrings as text } from "./strings-progress";
import { PROFILE } from "./testing/samples";

function server(): FakeServer {
  return goodServer().answer("GET /api/study/profile", PROFILE);
}

test("a higher share says what it costs in reviews, and is saved alone", async () => {
  const saving = server().answer("PUT /api/study/profile", { ...PROFILE, retention: 0.95 });
  const { user, server: asked } = renderApp("/study/settings", saving);
  fireEvent.change(await screen.findByLabelText(text.retention.label), { target: { value: "95" } });
  expect(screen.getByText(/reviews come 2.5 times as often/)).toBeTruthy();
  expect(screen.getByText(text.unsaved)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: text.save }));
  expect(await screen.findByText(text.saved)).toBeTruthy();
  expect(asked.asked.find(({ method }) => method === "PUT")?.body).toEqual({ retention: 0.95 });
});

test("days, kinds and exams are changed together and can be undone before saving", async () => {
  const { user } = renderApp("/study/settings", server());
  const monday = await screen.findByRole("checkbox", { name: "Monday" });
  await user.click(monday);
  const kind = screen.getByRole("group", { name: text.kinds.group("Worksheet") });
  await user.click(within(kind).getByRole("radio", { name: text.kinds.never }));
  fireEvent.change(screen.getByLabelText(`${text.exams.day}Malay`), { target: { value: "2026-06-01" } });
  expect(screen.getByRole("button", { name: text.exams.clearFor("Malay") })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: text.undo }));
  expect((monday as HTMLInputElement).checked).toBe(false);
  expect(screen.queryByText(text.unsaved)).toBeNull();
});

test("a damaged profile is shown with file, line and fix, and nothing can be written over it", async () => {
  const problem = { file: "learner/profile.json", line: 7, message: "A comma is missing", fix: "Put one before this place." };
  const { user, server: asked } = renderApp("/study/settings", server().answer("GET /api/study/profile", { ...PROFILE, problems: [problem] }));
  const panel = await screen.findByRole("region", { name: text.damaged.title });
  expect(panel.textContent).toContain("learner/profile.json line 7");
  expect(panel.textContent).toContain("Put one before this place.");
  expect(screen.queryByRole("button", { name: text.save })).toBeNull();
  asked.answer("GET /api/study/profile", PROFILE);
  await user.click(within(panel).getByRole("button", { name: text.damaged.again }));
  expect(await screen.findByRole("button", { name: text.save })).toBeTruthy();
});

test("a value the server refuses is told, and what was changed stays", async () => {
  const { user } = renderApp("/study/settings", server().fail("PUT /api/study/profile", 400, "`Moon` is not a time zone", "Write it like Asia/Kuching."));
  const zone = await screen.findByLabelText(text.days.zone);
  fireEvent.change(zone, { target: { value: "Moon" } });
  await user.click(screen.getByRole("button", { name: text.save }));
  expect((await screen.findByRole("alert")).textContent).toContain("Moon");
  expect((zone as HTMLInputElement).value).toBe("Moon");
});

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
