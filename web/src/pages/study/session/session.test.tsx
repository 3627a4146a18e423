import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeAll, expect, test } from "vitest";

import { strings } from "../../../strings";
import { renderApp } from "../../../testing/render-app";
import {
  askedIn,
  isClosed,
  newResult,
  saidAbout,
  testFileOf,
  toneOf,
  unsaid,
  withoutErrands,
  withoutRepeats,
} from "./flow";
import { sessionStrings as text } from "./strings";
import { ACT, exercise, ITEM, LOOK, question, result, step, studyServer } from "./testing/samples";
import { useDrafts } from "./use-session";
import { aroundGaps, countWords, joinGaps, sectionsOf } from "./worksheet";

// The page is fetched when it is opened; a machine under load may take longer for that than a test waits.
beforeAll(async () => {
  await import(".");
});

afterEach(() => {
  useDrafts.setState(useDrafts.getInitialState());
});

const PATH = "/study/malay/session";

test("an answer that is not right yet is talked about, and the field waits for the next try", async () => {
  const server = studyServer(step()).answer(
    ACT,
    step({ step: 2, says: ["Not yet. Think of the market.", "Try again, or ask for the next hint (a nudge)."], exercise: exercise({ attempts: 1 }) }),
  );
  const { user } = renderApp(PATH, server);
  const field = await screen.findByRole("textbox", { name: text.answer });
  await waitFor(() => { expect(document.activeElement).toBe(field); });
  await user.keyboard("thanks{Enter}");
  await screen.findByText("Not yet. Think of the market.");
  expect(screen.getByText("thanks")).toBeDefined();
  expect(screen.queryByText(/ask for the next hint/, { selector: "li *" })).toBeNull();
  expect(server.asked.find(({ path }) => path.endsWith("/act"))?.body).toMatchObject({ course: "malay", step: 1, act: "answer", text: "thanks" });
  expect(screen.getByRole("button", { name: text.help.hint })).toBeDefined();
});

test("an empty answer is not sent", async () => {
  const { user, server } = renderApp(PATH, studyServer(step()));
  await user.click(await screen.findByRole("button", { name: text.send }));
  expect(screen.getByText(text.empty)).toBeDefined();
  expect(server.asked.some(({ path }) => path.endsWith("/act"))).toBe(false);
});

test("a right answer is explained before the next question, and Enter goes on", async () => {
  const next = step({ step: 2, says: ["Correct: help.", "It also means please."], exercise: exercise({ asking: "2", number: 2, questions: [question({ id: "2", prompt: "And “maaf”?" })], body: "And “maaf”?" }) });
  const { user } = renderApp(PATH, studyServer(step()).answer(ACT, next));
  await user.type(await screen.findByRole("textbox"), "help{Enter}");
  const feedback = await screen.findByRole("heading", { name: text.feedback.heading.right });
  expect(feedback).toBeDefined();
  expect(screen.getByText("It also means please.")).toBeDefined();
  await user.keyboard("{Enter}");
  await screen.findByText("And “maaf”?");
  expect(screen.queryByText("It also means please.")).toBeNull();
});

test("cards are turned with Enter and rated with a digit", async () => {
  const card = exercise({ modality: "flashcard", answeredBy: "recall" });
  const turned = { ...card, body: `${card.body}\n\nThe answer: help.` };
  const server = studyServer(step({ expects: "recall", exercise: card })).answer(ACT, step({ step: 2, expects: "self_check", exercise: turned }));
  const { user } = renderApp(PATH, server);
  await screen.findByRole("button", { name: text.card.turn });
  await user.keyboard("{Enter}");
  await screen.findByText("The answer: help.");
  server.answer(ACT, step({ step: 3, expects: "recall", exercise: { ...card, asking: "2" }, says: ["You found it right."] }));
  await user.keyboard("3");
  await waitFor(() => { expect(screen.queryByText("The answer: help.")).toBeNull(); });
  expect(server.asked.filter(({ path }) => path.endsWith("/act")).at(-1)?.body).toMatchObject({ rating: 3, step: 2 });
  expect(screen.queryByRole("heading", { name: text.feedback.heading.right })).toBeNull();
});

test("a text that nobody can judge is compared and rated", async () => {
  const essay = exercise({ modality: "long_form", answeredBy: "file", asking: null, questions: [], body: "Why does it rain?" });
  const says = ["Nobody here can judge a text without a model.", "- Warm air rises."];
  const server = studyServer(step({ expects: "file", exercise: essay })).answer(ACT, step({ step: 2, expects: "self_check", says, exercise: essay }));
  const { user } = renderApp(PATH, server);
  await user.type(await screen.findByRole("textbox", { name: text.text.label }), "Because of clouds.");
  await user.click(screen.getByRole("button", { name: text.sheet.handIn }));
  await screen.findByText("Warm air rises.");
  expect(screen.getByText("Because of clouds.")).toBeDefined();
  expect(screen.queryByRole("textbox")).toBeNull();
  await user.click(screen.getByRole("button", { name: new RegExp(text.photo.ratings[1]) }));
  expect(server.asked.filter(({ path }) => path.endsWith("/act")).at(-1)?.body).toMatchObject({ rating: 2, step: 2 });
});

test("a choice is made by its letter", async () => {
  const asked = question({ choices: ["help", "thanks"] });
  const body = `${asked.prompt}\n\nA. help\nB. thanks`;
  const server = studyServer(step({ expects: "choice", exercise: exercise({ questions: [asked], body, answeredBy: "choice" }) }));
  server.answer(ACT, step({ step: 2, stage: "over", exercise: null, item: null, says: ["Right."], result: result() }));
  const { user } = renderApp(PATH, server);
  await screen.findByRole("button", { name: /thanks/ });
  await user.keyboard("b");
  await screen.findByRole("button", { name: text.feedback.summary });
  expect(screen.getByText("thanks")).toBeDefined();
  expect(server.asked.find(({ path }) => path.endsWith("/act"))?.body).toMatchObject({ text: "B" });
});

test("a worksheet is handed in gap by gap", async () => {
  const sheet = exercise({ modality: "worksheet", asking: null, answeredBy: "file", pauses: true, file: "w.md", open: ["w.md"], body: "", questions: [question({ id: "1.1", prompt: "thank you: ___" }), question({ id: "2.1", kind: "match", prompt: "maaf", choices: ["sorry", "help"] })] });
  const server = studyServer(step({ expects: "file", exercise: sheet }))
    .answer("GET /api/study/session/file?course=malay&path=w.md", { path: "w.md", text: "## Section 1: Say it\n\nIn Malay.\n", version: "v1", editable: true })
    .answer(ACT, step({ step: 2, stage: "over", item: null, exercise: null, result: result({ answers: [
      { question: "1.1", prompt: "thank you: ___", expected: "terima kasih", actual: "x", verdict: "incorrect", score: 0, feedback: "No." },
      { question: "2.1", prompt: "maaf", expected: "A", actual: "A", verdict: "correct", score: 1, feedback: "" },
      { question: "3.1", prompt: "good: ___", expected: "baik", actual: null, verdict: "unanswered", score: 0, feedback: "Not answered." },
    ] }), says: ["1 of 3 right.", "1.1: It is terima kasih."] }));
  const { user } = renderApp(PATH, server);
  await user.type(await screen.findByRole("textbox", { name: /thank you/ }), "x");
  await user.selectOptions(screen.getByRole("combobox", { name: "maaf" }), "sorry");
  expect(screen.getByText("In Malay.")).toBeDefined();
  await user.click(screen.getByRole("button", { name: text.sheet.handIn }));
  await screen.findByText("It is terima kasih.");
  expect(screen.getByText(`${text.feedback.verdicts.unanswered}:`).parentElement?.textContent).toContain("good: ___");
  expect(screen.getByText(text.feedback.rightOnes(1))).toBeDefined();
  expect(server.asked.find(({ path }) => path.endsWith("/act"))?.body).toMatchObject({ parts: { "1.1": "x", "2.1": "A" } });
});

test("a session that was answered in another window shows where it is, and says so", async () => {
  const server = studyServer(step()).fail(ACT, 409, "The session is at step 5 by now", null);
  const { user } = renderApp(PATH, server);
  const field = await screen.findByRole("textbox");
  server.answer(LOOK, step({ step: 5, stage: "teach", expects: "go_on", exercise: null, item: ITEM, lesson: ["# Numbers", "satu, dua"] }));
  await user.type(field, "help{Enter}");
  await screen.findByText("satu, dua");
  expect(await screen.findByText(text.elsewhere)).toBeDefined();
});

test("what was typed outlives a server that does not answer", async () => {
  const server = studyServer(step()).lose(ACT);
  const { user } = renderApp(PATH, server);
  await user.type(await screen.findByRole("textbox"), "help{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain(strings.errors.unreachable);
  expect(screen.getByRole<HTMLTextAreaElement>("textbox").value).toBe("help");
});

test("hints are asked for with a key, but not while somebody types", async () => {
  const tried = exercise({ attempts: 1, howToContinue: "Try again, or ask for the next hint (a nudge)." });
  const server = studyServer(step({ exercise: tried })).answer(ACT, step({ step: 2, says: ["Think of a shop."], exercise: tried }));
  const { user } = renderApp(PATH, server);
  const field = await screen.findByRole("textbox");
  await user.type(field, "h");
  expect(server.asked.some(({ path }) => path.endsWith("/act"))).toBe(false);
  field.blur();
  await user.keyboard("h");
  await screen.findByText("Think of a shop.");
  expect(server.asked.find(({ path }) => path.endsWith("/act"))?.body).toMatchObject({ act: "hint" });
});

test("the end is summed up, with what comes next", async () => {
  const over = step({
    stage: "over",
    expects: "nothing",
    item: null,
    exercise: null,
    summary: { session: "s1", course: "malay", kind: "study", next: null, minutes: 12.4, plannedMinutes: 25, exercises: [{ exerciseId: "e1", changeId: "s1.1", concept: "greetings", type: "new", modality: "worksheet", bloom: "remember", share: 0.9, rating: 3, hintsUsed: 1, answerShown: false, seconds: 60, due: "2026-03-04T10:00:00Z", mastered: false }], share: 0.9, unaided: 0, checks: { right: 1, asked: 1 }, mastered: [], skipped: [], dropped: [], modalities: {}, errors: [], says: ["Well done."] },
    next: { nextDue: null, dueTomorrow: 2, dueThisWeek: 4, nextNew: ["greetings"] },
  });
  const server = studyServer(over);
  const { services } = renderApp(PATH, server);
  const summary = await screen.findByRole("region", { name: text.summary.heading });
  expect(within(summary).getAllByText("90 %")).toHaveLength(2);
  expect(within(summary).getByText(text.summary.dueTomorrow(2))).toBeDefined();
  expect(within(summary).getByText(text.summary.nextNew("Greetings"))).toBeDefined();

  // The news that it has ended may come after its end is shown, and the server has no session any more.
  server.answer(LOOK, step({ stage: "nothing", expects: "nothing", session: null, item: null, exercise: null }));
  await act(() => services.queries.invalidateQueries({ queryKey: ["study"] }));
  expect(screen.getByRole("region", { name: text.summary.heading })).toBeDefined();
});

test("without an open session there is one to begin, of the kind the link names", async () => {
  const none = step({ stage: "nothing", expects: "nothing", session: null, item: null, exercise: null });
  const server = studyServer(none).answer("POST /api/study/sessions", step());
  const { user } = renderApp(`${PATH}?kind=quiz&concept=greetings`, server);
  await user.click(await screen.findByRole("button", { name: text.start.begin }));
  await screen.findByText("What does “tolong” mean?");
  expect(server.asked.find(({ path }) => path.endsWith("/sessions"))?.body).toMatchObject({ kind: "quiz", quiz: { concepts: ["greetings"] } });
});

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
