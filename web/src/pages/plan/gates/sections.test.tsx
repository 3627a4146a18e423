import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { FakeServer } from "../../../testing/fake-server";
import { renderApp } from "../../../testing/render-app";
import type { PlanGate } from "../../../wire/generated";
import { planStrings } from "../strings";
import { ANSWER, gate, JUDGE_OPTIONS, JUDGING, sessionServer, waiting } from "../testing/samples";
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

function decision(name: string): HTMLElement {
  return screen.getByRole("group", { name: text.sections.legend(name) });
}

test("a draft is judged section by section; what is missing is named and found", async () => {
  const { user, server } = asked(JUDGING);
  const go = await screen.findByRole("button", { name: text.goOn });
  expect(screen.getByText("The exit check is long.")).toBeTruthy();
  await user.click(go);
  expect(screen.getByText(text.sections.incomplete)).toBeTruthy();
  expect(document.activeElement).toBe(screen.getByRole("heading", { name: "Learning outcome" }));
  await user.click(within(decision("Starter")).getByRole("radio", { name: "Revise" }));
  await user.click(screen.getByRole("button", { name: text.sections.acceptRest(1) }));
  expect(screen.getByText(text.sections.progress(2, 2))).toBeTruthy();
  await user.click(go);
  expect(screen.getByText(text.sections.needsWords("Starter (8 min)"))).toBeTruthy();
  await user.type(screen.getByLabelText(text.sections.revise("Starter")), "Shorter");
  await user.click(go);
  expect(await sent(server)).toEqual({
    revision: 1,
    reply: { picked: { outcome: { option: "accept", text: "" }, starter: { option: "revise", text: "Shorter" } }, texts: [] },
  });
});

test("one's own text begins with the one that is there", async () => {
  const edit = { id: "edit", label: "Write it yourself", wants_text: true };
  const { user, server } = asked({ ...JUDGING, interaction: { ...JUDGING.interaction, options: [...JUDGE_OPTIONS, edit] } });
  await screen.findByRole("button", { name: text.goOn });
  await user.click(within(decision("Starter")).getByRole("radio", { name: "Revise" }));
  await user.type(screen.getByLabelText(text.sections.revise("Starter")), "Shorter");
  await user.click(within(decision("Starter")).getByRole("radio", { name: "Write it yourself" }));
  const own = screen.getByLabelText<HTMLTextAreaElement>(text.sections.own("Starter"));
  expect(own.value).not.toBe("");
  expect(own.value).not.toContain("Shorter");
  await user.clear(own);
  await user.type(own, "Alone, on paper.");
  await user.click(screen.getByRole("button", { name: text.sections.acceptRest(1) }));
  await user.click(screen.getByRole("button", { name: text.goOn }));
  expect(await sent(server)).toMatchObject({ reply: { picked: { starter: { option: "edit", text: "Alone, on paper." } } } });
});

test("a section that was written anew shows what changed, and how it reads now", async () => {
  const before = gate("teacher-adjudication", JUDGING.interaction, {
    openedAt: "2026-03-01T10:00:30Z",
    gate: "first",
    reply: { picked: { starter: { option: "revise", text: "Shorter" }, outcome: { option: "accept", text: "" } }, texts: [] },
  });
  const again = gate("teacher-adjudication", {
    kind: "sections",
    title: "Judge what was written anew",
    text: "",
    sections: [{ id: "starter", title: "Starter (5 min)", text: "[Not accepted yet: `TCH` is missing]\n\nRecall it quickly." }],
    options: JUDGE_OPTIONS,
  });
  const { user } = asked(before, again);
  expect(await screen.findByText("TCH")).toBeTruthy();
  expect(screen.getByText("it quickly").tagName).toBe("INS");
  expect(screen.getByText("what a loop is").tagName).toBe("DEL");
  await user.click(screen.getByRole("button", { name: text.sections.reads }));
  expect(screen.getByText("Recall it quickly.")).toBeTruthy();
  // The first round is one line.
  expect(screen.getByText("Accept 1 · Revise 1")).toBeTruthy();
});

test("alternatives stand side by side; one is chosen, or none", async () => {
  const options = [
    { id: "1", label: "Alternative 1", wants_text: false },
    { id: "2", label: "Alternative 2", wants_text: false },
    { id: "keep", label: "Keep it as it is", wants_text: false },
    { id: "revise", label: "None of these: say what should change", wants_text: true },
  ];
  const words = "### As it is: Starter\n\nOld words\n\n### Alternative 1\n\nNew words\n\n### Alternative 2\n\nOther words";
  const { user, server } = asked(gate("teacher-adjudication", { kind: "choices", title: "Which one?", text: words, options }));
  expect(await screen.findByText("Other words")).toBeTruthy();
  expect(screen.getByRole("button", { name: "Keep it as it is" })).toBeTruthy();
  expect(screen.getByRole("button", { name: /None of these/ })).toBeTruthy();
  await user.click(screen.getByLabelText(text.alternatives.mark));
  expect(screen.getByText("Other", { exact: false }).tagName).toBe("INS");
  await user.click(screen.getByRole("button", { name: `${text.alternatives.choose}: Alternative 2` }));
  expect(await sent(server)).toMatchObject({ reply: { picked: { "": { option: "2" } } } });
});

test("what to remember is decided one by one; other words begin with those that are there", async () => {
  const options = [
    { id: "confirm", label: "Remember it", wants_text: false },
    { id: "edit", label: "Remember it in other words", wants_text: true },
    { id: "dismiss", label: "Do not remember it", wants_text: false },
  ];
  const sections = [{ id: "p1", title: "About 3B", text: "Short starters\n(You shortened it)\n[Not kept: it names `Max`]" }];
  const { user, server } = asked(
    gate("memory-capture", { kind: "sections", title: "Should I remember this?", text: "Nothing is kept.", sections, options }),
  );
  await user.click(await screen.findByRole("radio", { name: "Remember it in other words" }));
  expect(screen.getByText("Max")).toBeTruthy();
  const field = screen.getByLabelText<HTMLTextAreaElement>(text.sections.words("About 3B"));
  expect(field.value).toBe("Short starters");
  await user.type(field, " work");
  await user.click(screen.getByRole("button", { name: text.goOn }));
  expect(await sent(server)).toMatchObject({ reply: { picked: { p1: { option: "edit", text: "Short starters work" } } } });
});
