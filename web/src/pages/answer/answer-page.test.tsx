import { screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { FakeServer } from "../../testing/fake-server";
import { renderApp } from "../../testing/render-app";
import type { AnswerSheet } from "../../wire/generated";
import { isAnswered, mergeAnswers, withPart } from "./answer-page";

const PATH = "/api/answer/k7m-q2x-pd9";
const SHEET: AnswerSheet = {
  title: "Fixed loops",
  instructions: "Write your answer.",
  sections: [
    {
      number: 1,
      title: "Loops",
      intro: "",
      questions: [
        { id: "1.1", prompt: "How often?", blanks: 1, options: [{ letter: "A", text: "4 times" }, { letter: "B", text: "5 times" }] },
        { id: "1.2", prompt: "First value of `i`?", blanks: 1, options: [] },
        { id: "1.3", prompt: "___ is not ___", blanks: 2, options: [] },
      ],
    },
  ],
  answers: {},
  version: 0,
  open: true,
  closesAt: "2026-11-23T12:00:00Z",
  handedInAt: null,
};

function served(sheet: AnswerSheet = SHEET): FakeServer {
  return new FakeServer().answer(`GET ${PATH}`, sheet);
}

test("a code opens its worksheet, and nobody is asked who they are", async () => {
  const { server } = renderApp("/answer/k7m-q2x-pd9", served());

  expect(await screen.findByRole("heading", { name: "Fixed loops" })).toBeDefined();
  expect(screen.getByRole("group", { name: "How often?" })).toBeDefined();
  expect(screen.getByLabelText(/First value of/)).toBeDefined();
  expect(screen.getByLabelText("Answer 2 of 2")).toBeDefined();
  expect(server.asked.map(({ path }) => path)).toEqual([PATH]);
});

test("answers are handed in and the page says that they arrived", async () => {
  const stored = { ...SHEET, answers: { "1.1": ["B"] }, version: 1, handedInAt: "2026-11-16T12:00:00Z" };
  const { server, user } = renderApp("/answer/k7m-q2x-pd9", served().answer(`PUT ${PATH}`, stored));

  await user.click(await screen.findByRole("radio", { name: "B) 5 times" }));
  await user.click(screen.getByRole("button", { name: "Hand in" }));

  expect(await screen.findByText("Your answers have arrived.")).toBeDefined();
  const put = server.asked.find(({ method }) => method === "PUT");
  expect(put?.body).toEqual({ answers: { "1.1": ["B"] }, version: 0, handIn: true });
  expect(screen.getByRole("button", { name: "Hand in again" })).toBeDefined();
});

test("a draft is kept a moment after the last key", async () => {
  const stored = { ...SHEET, answers: { "1.2": ["0"] }, version: 1 };
  const { server, user } = renderApp("/answer/k7m-q2x-pd9", served().answer(`PUT ${PATH}`, stored));

  await user.type(await screen.findByLabelText(/First value of/), "0");

  await waitFor(
    () => {
      expect(server.asked.find(({ method }) => method === "PUT")?.body).toEqual({ answers: { "1.2": ["0"] }, version: 0, handIn: false });
    },
    { timeout: 5000 },
  );
  expect(await screen.findByText(/1 of 3 questions answered. Saved./)).toBeDefined();
});

test("what could not be saved is said, and stays in its field", async () => {
  const { user } = renderApp("/answer/k7m-q2x-pd9", served().fail(`PUT ${PATH}`, 403, "The worksheet is closed", "Ask your teacher."));

  await user.type(await screen.findByLabelText(/First value of/), "0");
  await user.click(screen.getByRole("button", { name: "Hand in" }));

  expect(await screen.findByText("The worksheet is closed")).toBeDefined();
  expect(screen.getByLabelText<HTMLInputElement>(/First value of/).value).toBe("0");
});

test("a closed worksheet can be read only", async () => {
  renderApp("/answer/k7m-q2x-pd9", served({ ...SHEET, open: false }));

  expect(await screen.findByText(/This worksheet is closed/)).toBeDefined();
  expect(screen.queryByRole("button", { name: "Hand in" })).toBeNull();
  expect(screen.getByRole("radio", { name: "B) 5 times" }).closest("fieldset")?.disabled).toBe(true);
});

test("a wrong code is told, and another one can be typed", async () => {
  const server = new FakeServer().fail("GET /api/answer/nothing", 404, "There is no worksheet under this code");
  const { user } = renderApp("/answer/nothing", server.answer(`GET ${PATH}`, SHEET));

  expect(await screen.findByText("There is no worksheet under this code")).toBeDefined();
  await user.type(screen.getByLabelText("Code"), "k7m-q2x-pd9");
  await user.click(screen.getByRole("button", { name: "Open the worksheet" }));

  expect(await screen.findByRole("heading", { name: "Fixed loops" })).toBeDefined();
});

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
