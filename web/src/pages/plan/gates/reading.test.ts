import { expect, test } from "vitest";

import { gate, JUDGE_OPTIONS } from "../testing/samples";
import { readInteraction, readReply } from "./interaction";
import { readable, readAlternatives, readKnown, readProposal, readSectionText, textBefore } from "./reading";
import { changesBetween } from "./word-diff";

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
