import { screen, waitFor, within } from "@testing-library/react";
import type { UserEvent } from "@testing-library/user-event";
import { afterEach, beforeEach, expect, test } from "vitest";

import type { FakeServer } from "../../../testing/fake-server";
import { renderApp } from "../../../testing/render-app";
import type { PlanGate } from "../../../wire/generated";
import { planStrings } from "../strings";
import {
  ANSWER,
  cleanUp,
  DRAFT,
  gate,
  JUDGE_OPTIONS,
  JUDGING,
  KNOWN,
  makeWide,
  RUN,
  sessionServer,
  transcript,
  waiting,
} from "../testing/samples";
import {
  readable,
  readAlternatives,
  readInteraction,
  readKnown,
  readProposal,
  readReply,
  readSectionText,
  textBefore,
} from "./interaction";
import { changesBetween } from "./sections-form";

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

test("what is known is read in groups, with what is said around them", () => {
  const { groups, rest } = readKnown("No class.\n\nYour preferences:\n- short\n- plain\n\nShall I go on?");
  expect(groups).toEqual([{ heading: "Your preferences", items: ["short", "plain"] }]);
  expect(rest).toEqual(["No class.", "Shall I go on?"]);
});

test("alternatives keep their own headings", () => {
  const text = "### As it is: Starter\n\nold\n\n### Questions\n\n1. a\n\n### Alternative 1\n\nnew\n\n### Questions\n\n1. b";
  expect(readAlternatives(text)).toEqual([
    { title: "As it is: Starter", text: "old\n\n### Questions\n\n1. a" },
    { title: "Alternative 1", text: "new\n\n### Questions\n\n1. b" },
  ]);
  expect(readAlternatives("### Questions\n\nnone")).toEqual([]);
});

test("why a wish could not be met stands apart from the section", () => {
  expect(readSectionText("[Not accepted yet: Line 3: too long]\n\nText")).toEqual({ problem: "Line 3: too long", text: "Text" });
  expect(readSectionText("[a link](x)\n\nText").problem).toBeNull();
});

test("a proposal is read into words, reason and refusal", () => {
  expect(readProposal("Short starters\n(You said so)\n[Not kept: it names somebody]")).toEqual({
    words: "Short starters",
    why: "You said so",
    problem: "it names somebody",
  });
  expect(readProposal("(only words)")).toEqual({ words: "(only words)", why: "", problem: "" });
});

test("a section is compared with what it said when it was judged before", () => {
  const asked = (text: string, openedAt: string, id = "starter"): ReturnType<typeof gate> =>
    gate("teacher-adjudication", { kind: "sections", title: "", sections: [{ id, title: "", text }], options: JUDGE_OPTIONS }, { openedAt });
  const first = asked("old", "2026-01-01T00:00:00Z");
  const second = asked("[Not accepted yet: no]\n\nnew", "2026-01-02T00:00:00Z");
  expect(textBefore([first, second], second, "starter")).toBe("old");
  expect(textBefore([first, second], first, "starter")).toBeNull();
  const same = asked("old", "2026-01-03T00:00:00Z");
  expect(textBefore([first, same], same, "starter")).toBeNull();
  const other = asked("x", "2026-01-03T00:00:00Z", "notes");
  expect(textBefore([first, other], other, "notes")).toBeNull();
});

test("words that were replaced in a row stand together", () => {
  expect(changesBetween("Which shape starts it?", "When does it?")).toEqual([
    { kind: "removed", text: "Which shape starts " },
    { kind: "added", text: "When does " },
    { kind: "same", text: "it?" },
  ]);
  expect(changesBetween("same", "same\n")).toEqual([{ kind: "same", text: "same" }]);
});

test("texts are compared without the marks of markdown", () => {
  expect(readable("### Questions\n\n- **EAL**: `x`\n- [x] right\n- [ ] wrong\n- [TCH 3](a.md#L1-L2)")).toBe(
    "Questions\n\n• EAL: x\n✓ right\n○ wrong\n• TCH 3",
  );
});

test("a question of a form that is not known is not guessed at", () => {
  expect(readInteraction({ kind: "drawing" })).toBeNull();
  expect(readInteraction({ kind: "free_text", title: "Say", initial: "x" })).toMatchObject({ initial: "x", text: "" });
});

test("an answer is read back", () => {
  expect(readReply({ picked: { a: { option: "accept" } }, texts: ["x"], auto: true })).toEqual({
    picked: { a: { option: "accept", text: "" } },
    texts: ["x"],
    auto: true,
  });
  expect(readReply({})).toEqual({ picked: {}, texts: [], auto: false });
});

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
