import { screen, waitFor } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { FakeServer } from "../../../testing/fake-server";
import { renderApp } from "../../../testing/render-app";
import type { PlanGate } from "../../../wire/generated";
import { planStrings } from "../strings";
import { ANSWER, DRAFT, gate, KNOWN, RUN, sessionServer, transcript, waiting } from "../testing/samples";
import { cleanUp, makeWide } from "../testing/set-up";

const text = planStrings.gates;

beforeEach(makeWide);
afterEach(cleanUp);

function asked(...gates: PlanGate[]): { server: FakeServer; user: UserEvent } {
  const open = gates.at(-1);
  const server = sessionServer(waiting(...gates)).answer(`${ANSWER}${open?.hook ?? ""}`, open);
  return renderApp("/plan?session=s1", server);
}

async function sent(server: FakeServer): Promise<unknown> {
  await waitFor(() => {
    expect(server.asked.some(({ method }) => method === "POST")).toBe(true);
  });
  return server.asked.find(({ method }) => method === "POST")?.body;
}

test("what is known is shown in groups and confirmed with one click", async () => {
  const { user, server } = asked(KNOWN);
  expect(await screen.findByRole("heading", { name: "From the class profile" })).toBeTruthy();
  expect(screen.getByText("Ukrainian").tagName).toBe("CODE");
  expect(screen.getByText(planStrings.composer.answerFirst, { exact: false })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Go on with this" }));
  expect(await sent(server)).toEqual({ revision: 1, reply: { picked: { "": { option: "confirm", text: "" } }, texts: [] } });
});

test("changes to what is known are said in words, and survive a look elsewhere", async () => {
  const { user, server } = asked(KNOWN);
  await user.click(await screen.findByRole("button", { name: "Go on, with changes" }));
  const field = screen.getByLabelText(text.what);
  expect(document.activeElement).toBe(field);
  expect(screen.getByRole("button", { name: text.goOn }).hasAttribute("disabled")).toBe(true);
  await user.type(field, "25 pupils");
  await user.click(screen.getByRole("button", { name: planStrings.sessions.new }));
  await user.click(await screen.findByRole("button", { name: /Iteration for 3B/ }));
  expect((await screen.findByLabelText<HTMLTextAreaElement>(text.what)).value).toBe("25 pupils");
  await user.click(screen.getByRole("button", { name: text.cancel }));
  await user.click(screen.getByRole("button", { name: "Go on, with changes" }));
  await user.click(screen.getByRole("button", { name: text.goOn }));
  expect(await sent(server)).toMatchObject({ reply: { picked: { "": { option: "modify", text: "25 pupils" } } } });
});

test("questions are answered in words, and a draft above is not shown twice", async () => {
  const question = gate("reflection-prompt", {
    kind: "questions",
    title: "Before you judge it",
    text: `The draft follows:\n\n${DRAFT}`,
    questions: ["Is the outcome right?", "Is the challenge right?"],
  });
  const said = [...RUN.said, { role: "agent" as const, text: DRAFT, tools: [] }];
  const server = sessionServer(transcript({ state: "waiting", status: null, said, gates: [question] })).answer(
    `${ANSWER}reflection-prompt`,
    question,
  );
  const { user } = renderApp("/plan?session=s1", server);
  expect(await screen.findAllByRole("heading", { name: "Learning outcome" })).toHaveLength(1);
  await user.type(screen.getByLabelText("Is the challenge right?"), "Yes");
  await user.click(screen.getByRole("button", { name: text.goOn }));
  expect(await sent(server)).toMatchObject({ reply: { texts: ["", "Yes"] } });
});

test("a free text begins with what is there", async () => {
  const { user, server } = asked(gate("other", { kind: "free_text", title: "Write it", initial: "Dear", text: "To parents" }));
  await user.type(await screen.findByLabelText(text.yourText), " all");
  await user.click(screen.getByRole("button", { name: text.goOn }));
  expect(await sent(server)).toMatchObject({ reply: { texts: ["Dear all"] } });
});

test("how sure one is, is chosen on a scale", async () => {
  const options = [
    { id: "1", label: "1: not at all", wants_text: false },
    { id: "5", label: "5: completely", wants_text: false },
  ];
  const { user, server } = asked(gate("confidence", { kind: "choices", title: "How sure are you?", options, text: "" }));
  const go = await screen.findByRole("button", { name: text.goOn });
  expect(go.hasAttribute("disabled")).toBe(true);
  await user.click(screen.getByRole("radio", { name: "5: completely" }));
  await user.click(go);
  expect(await sent(server)).toMatchObject({ reply: { picked: { "": { option: "5" } } } });
});

test("an answer that comes too late says so, and the other answer is shown", async () => {
  const { user, server } = asked(KNOWN);
  const go = await screen.findByRole("button", { name: "Go on with this" });
  server
    .fail(`${ANSWER}feedforward`, 409, "It was answered meanwhile", "Read it again.")
    .answer("GET /api/plan/sessions/s1", waiting({ ...KNOWN, reply: { picked: { "": { option: "dismiss", text: "" } } }, answeredAt: "2026-03-01T10:02:00Z" }));
  await user.click(go);
  expect(await screen.findByText(text.late)).toBeTruthy();
  await waitFor(() => {
    expect(screen.queryByRole("button", { name: "Leave it aside" })).toBeNull();
  });
  expect(screen.getByText("Leave it aside", { selector: "summary span" })).toBeTruthy();
});

test("an answer that is refused stays to be changed", async () => {
  const { user, server } = asked(KNOWN);
  server.fail(`${ANSWER}feedforward`, 400, "It needs some words");
  await user.click(await screen.findByRole("button", { name: "Go on with this" }));
  expect((await screen.findByRole("alert")).textContent).toContain("It needs some words");
  expect(screen.getByRole("button", { name: "Go on with this" }).hasAttribute("disabled")).toBe(false);
});

test("answers that nobody gave are marked, and every form of answer can be read later", async () => {
  const questions = gate("reflection-prompt", { kind: "questions", title: "Before", questions: ["Right?"] }, { reply: { texts: [""], auto: true } });
  const free = gate("other", { kind: "free_text", title: "Write" }, { gate: "g2", reply: { texts: ["Dear all"] } });
  renderApp("/plan?session=s1", sessionServer(transcript({ gates: [questions, free] })));
  expect(await screen.findByText(text.auto)).toBeTruthy();
  expect(screen.getAllByText(text.empty)).toHaveLength(2);
  expect(screen.getByText("Dear all")).toBeTruthy();
});

test("a question of a newer Paige asks for a reload", async () => {
  asked(gate("new", { kind: "drawing", title: "Draw" }));
  expect(await screen.findByText(text.outdated)).toBeTruthy();
});
