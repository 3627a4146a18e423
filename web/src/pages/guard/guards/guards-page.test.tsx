import "../guards";

import { screen, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { renderApp } from "../../../testing/render-app";
import { GUARD_RECORD, GUARDS, learningServer, LESSONS } from "../testing/samples";
import { guardsStrings as text } from "./strings";

const ANSWER = { row: "limited-feedback", side: "keep", question: "Is there too little to judge by?", holds: true, why: "Only 2 cases." };
const ONE = `/guard/guards?id=${GUARD_RECORD.id}`;
const PATH = `/api/guards/${GUARD_RECORD.id}`;

test("guards stand in the column of their stage, with what was seen of them", async () => {
  renderApp("/guard/guards", learningServer());
  const column = await screen.findByRole("region", { name: new RegExp(text.stages.columns.shadow.title) });
  const card = within(column).getByRole("link");
  expect(card.textContent).toContain(GUARD_RECORD.message);
  expect(card.textContent).toContain(text.card.shadow(3, 40));
  expect(card.textContent).toContain(text.card.sound);
  expect(screen.getAllByText(text.stages.nobody)).toHaveLength(3);
});

test("before a guard was learned it says how one comes about", async () => {
  renderApp("/guard/guards", learningServer().answer("GET /api/guards", { ...GUARDS, guards: [] }));
  expect(await screen.findByText("paige guard learn")).toBeTruthy();
});

test("a file that cannot be read is named", async () => {
  const problems = [".ai/guards/broken.json: line 3 is no JSON"];
  renderApp("/guard/guards", learningServer().answer("GET /api/guards", { ...GUARDS, problems }));
  expect((await screen.findByRole("alert")).textContent).toContain("broken.json");
});

test("a guard shows its matcher, its trials with numbers, its examples and who forced what", async () => {
  renderApp(ONE, learningServer());
  expect(await screen.findByRole("heading", { level: 2, name: GUARD_RECORD.id })).toBeTruthy();
  expect(screen.getByText("**/feature-list.json")).toBeTruthy();
  expect(screen.getByText(text.trial.probed(0, 1000))).toBeTruthy();
  expect(screen.getByText(text.trial.replayed(5, 200))).toBeTruthy();
  const table = screen.getByRole("table", { hidden: true });
  expect(within(table).getAllByRole("row", { hidden: true })).toHaveLength(5);
  expect(screen.getByText(text.one.forced)).toBeTruthy();
});

test("promoting needs a reason, and sends it with the force that was asked for", async () => {
  const server = learningServer().answer(`POST ${PATH}/promote`, { ...GUARD_RECORD, standing: "production" });
  const { user } = renderApp(ONE, server);
  await user.click(await screen.findByRole("button", { name: text.acts.promote.button }));
  const dialog = await screen.findByRole("alertdialog");
  const confirm = within(dialog).getByRole("button", { name: text.acts.promote.confirm });
  expect(confirm).toHaveProperty("disabled", true);
  await user.type(within(dialog).getByLabelText(text.acts.why), "It held for a week");
  await user.click(within(dialog).getByLabelText(text.acts.force));
  await user.click(confirm);
  expect(await screen.findByText(text.acts.promote.done(GUARD_RECORD.id))).toBeTruthy();
  expect(server.asked.find(({ path }) => path === `${PATH}/promote`)?.body).toEqual({ why: "It held for a week", force: true });
  expect(screen.queryByRole("alertdialog")).toBeNull();
});

test("what is refused stays in the dialog with its reason", async () => {
  const { user } = renderApp(ONE, learningServer().fail(`POST ${PATH}/promote`, 403, "It would stop 2 harmless actions", "Narrow it."));
  await user.click(await screen.findByRole("button", { name: text.acts.promote.button }));
  const dialog = await screen.findByRole("alertdialog");
  await user.type(within(dialog).getByLabelText(text.acts.why), "now");
  await user.click(within(dialog).getByRole("button", { name: text.acts.promote.confirm }));
  expect((await within(dialog).findByRole("alert")).textContent).toContain("2 harmless actions");
});

test("a guard in production is rolled back, one that is tried goes to shadow", async () => {
  const server = learningServer().answer("GET /api/guards", { ...GUARDS, guards: [{ ...GUARD_RECORD, standing: "production" }] });
  renderApp(ONE, server);
  expect(await screen.findByRole("button", { name: text.acts.rollback.button })).toBeTruthy();
  expect(screen.queryByRole("button", { name: text.acts.promote.button })).toBeNull();
});

test("a fresh trial shows what it found", async () => {
  const hit = { id: "h1", at: null, tool: "Bash", text: "git status", decision: "allow", rule: "" };
  const trial = { sound: false, faults: ["Example 1 is not met"], probed: 1000, benign: 1, benignHits: [hit], replay: GUARD_RECORD.trial?.replay, answers: [ANSWER] };
  const { user } = renderApp(ONE, learningServer().answer(`POST ${PATH}/try`, { ...GUARD_RECORD, trial }));
  await user.click(await screen.findByRole("button", { name: text.acts.try }));
  expect(await screen.findByText("Example 1 is not met")).toBeTruthy();
  expect(screen.getByText("git status")).toBeTruthy();
  expect(screen.getByText(ANSWER.why)).toBeTruthy();
});

test("patterns show their weight, and proposals the command that introduces them", async () => {
  renderApp("/guard/guards?tab=patterns", learningServer());
  expect(await screen.findByText(text.lessons.command)).toBeTruthy();
  expect(screen.getByRole("table", { name: text.lessons.heading }).textContent).toContain("4.2");
  expect(screen.getByText(".claude/agents/coding-agent.md")).toBeTruthy();
});

test("the report says what was found and what cannot be said yet", async () => {
  const { user } = renderApp("/guard/guards", learningServer());
  await user.click(await screen.findByRole("tab", { name: text.tabs.report }));
  expect(await screen.findByText(LESSONS.report[0]?.advice ?? "")).toBeTruthy();
  expect(screen.getByText(text.report.verdicts.warning)).toBeTruthy();
  expect(screen.getByText(text.report.verdicts.unknown)).toBeTruthy();
});
