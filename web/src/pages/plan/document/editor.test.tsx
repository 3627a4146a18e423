import { EditorView } from "@codemirror/view";
import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { renderApp } from "../../../testing/render-app";
import { uiStrings } from "../../../ui/strings";
import type { ClassMisconceptions } from "../../../wire/generated";
import { useFileDrafts } from "../hooks";
import { planStrings } from "../strings";
import { CLASS_ADDRESS, CLASS_FILE, cleanUp, makeWide, planningServer } from "../testing/samples";
import { classOf } from "./document-pane";

const text = planStrings.editor;
const OPEN = "/plan?file=classes%2F3B.md";

beforeEach(makeWide);
afterEach(cleanUp);

async function editor(): Promise<EditorView> {
  const field = await screen.findByRole("textbox", { name: text.text(CLASS_FILE.path) });
  const view = EditorView.findFromDOM(field);
  if (view === null) throw new Error("it is no editor");
  return view;
}

function type(view: EditorView, words: string): void {
  act(() => {
    view.dispatch({ changes: { from: view.state.doc.length, insert: words } });
  });
}

function changedElsewhere(world: ReturnType<typeof renderApp>["world"], action: "written" | "deleted"): void {
  act(() => {
    world.accept();
    world.socket.receive("plan:file", { path: CLASS_FILE.path, action }, { seq: 1, durable: true });
  });
}

test("a file opens with its problems, each with a way to its line", async () => {
  const { user } = renderApp(OPEN, planningServer());
  const view = await editor();
  expect(view.state.doc.toString()).toBe(CLASS_FILE.text);
  expect(screen.getByRole("region", { name: text.problems(1) }).textContent).toContain("size is missing");
  await user.click(screen.getByRole("button", { name: planStrings.document.line(3) }));
  expect(view.state.doc.lineAt(view.state.selection.main.head).number).toBe(3);
});

test("the line in the address is where the editor begins", async () => {
  renderApp(`${OPEN}&line=99`, planningServer());
  const view = await editor();
  expect(view.state.doc.lineAt(view.state.selection.main.head).number).toBe(view.state.doc.lines);
});

test("a save sends the version it was made from; what is typed meanwhile stays", async () => {
  const after = { ...CLASS_FILE, text: `${CLASS_FILE.text}x`, version: "v2", problems: [] };
  const server = planningServer().answer(`PUT ${CLASS_ADDRESS}`, after);
  const { user } = renderApp(OPEN, server);
  const view = await editor();
  type(view, "x");
  expect(screen.getAllByText(text.unsaved).length).toBeGreaterThan(0);
  expect(screen.getByText(text.problemsOfSaved)).toBeTruthy();
  server.answer(`GET ${CLASS_ADDRESS}`, after);
  await user.click(screen.getByRole("button", { name: text.save }));
  expect(await screen.findByText(text.saved)).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "PUT")?.body).toEqual({ text: after.text, version: "v1" });
  expect(screen.queryByText(text.unsaved)).toBeNull();
});

test("what is typed while a save is on its way is based on what was saved", () => {
  const { keep, saved } = useFileDrafts.getState();
  keep("a.md", { text: "one two", base: "v1" });
  saved("a.md", "one", "v2");
  expect(useFileDrafts.getState().drafts["a.md"]).toEqual({ text: "one two", base: "v2" });
  saved("a.md", "one two", "v3");
  expect(useFileDrafts.getState().drafts).toEqual({});
});

test("changes survive a look elsewhere, and are discarded when one wants", async () => {
  const { user } = renderApp(OPEN, planningServer());
  type(await editor(), "mine");
  await user.click(screen.getByRole("button", { name: planStrings.document.close }));
  await user.click(screen.getByRole("button", { name: new RegExp(planStrings.workspace.changed) }));
  const view = await editor();
  expect(view.state.doc.toString()).toBe(`${CLASS_FILE.text}mine`);
  await user.click(screen.getByRole("button", { name: text.undo }));
  expect(view.state.doc.toString()).toBe(CLASS_FILE.text);
});

test("a text that is typed back to what is saved is no change", async () => {
  renderApp(OPEN, planningServer());
  const view = await editor();
  type(view, "x");
  act(() => {
    view.dispatch({ changes: { from: view.state.doc.length - 1, to: view.state.doc.length } });
  });
  expect(useFileDrafts.getState().drafts).toEqual({});
});

test("a file nobody changes here follows what is changed elsewhere", async () => {
  const { world, server } = renderApp(OPEN, planningServer());
  const view = await editor();
  server.answer(`GET ${CLASS_ADDRESS}`, { ...CLASS_FILE, text: "new\n", version: "v2" });
  changedElsewhere(world, "written");
  await waitFor(() => {
    expect(view.state.doc.toString()).toBe("new\n");
  });
  expect(useFileDrafts.getState().drafts).toEqual({});
});

test("when both sides change a file, both texts are shown and one chooses", async () => {
  const { world, server, user } = renderApp(OPEN, planningServer());
  type(await editor(), "mine");
  server.answer(`GET ${CLASS_ADDRESS}`, { ...CLASS_FILE, text: `${CLASS_FILE.text}theirs`, version: "v2" });
  changedElsewhere(world, "written");
  const both = await screen.findByRole("region", { name: text.conflict });
  expect([...both.querySelectorAll("ins, del")].map(({ tagName, textContent }) => [tagName, textContent])).toEqual([
    ["DEL", "theirs"],
    ["INS", "mine"],
  ]);
  expect(screen.getByRole("button", { name: text.save }).hasAttribute("disabled")).toBe(true);
  const after = { ...CLASS_FILE, text: `${CLASS_FILE.text}mine`, version: "v3" };
  server.answer(`PUT ${CLASS_ADDRESS}`, after).answer(`GET ${CLASS_ADDRESS}`, after);
  await user.click(screen.getByRole("button", { name: text.keepMine }));
  expect(await screen.findByText(text.saved)).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "PUT")?.body).toMatchObject({ version: "v2" });
});

test("a save that comes too late shows the other text, which can be taken", async () => {
  const { server, user } = renderApp(OPEN, planningServer());
  const view = await editor();
  type(view, "mine");
  server
    .fail(`PUT ${CLASS_ADDRESS}`, 409, "Somebody else changed it", "Compare.")
    .answer(`GET ${CLASS_ADDRESS}`, { ...CLASS_FILE, text: "theirs", version: "v2" });
  await user.click(screen.getByRole("button", { name: text.save }));
  await user.click(await screen.findByRole("button", { name: text.takeTheirs }));
  expect(view.state.doc.toString()).toBe("theirs");
});

test("a save that is refused keeps the text and says why", async () => {
  const { server, user } = renderApp(OPEN, planningServer());
  const view = await editor();
  type(view, "mine");
  server.fail(`PUT ${CLASS_ADDRESS}`, 503, "The disk is full", "Make room.");
  await user.click(screen.getByRole("button", { name: text.save }));
  expect((await screen.findByRole("alert")).textContent).toContain("Make room.");
  expect(view.state.doc.toString()).toContain("mine");
});

test("a file that is deleted elsewhere can be made again from what is not saved", async () => {
  const { world, server, user } = renderApp(OPEN, planningServer());
  type(await editor(), "mine");
  changedElsewhere(world, "deleted");
  expect(await screen.findByText(text.gone)).toBeTruthy();
  const after = { ...CLASS_FILE, text: `${CLASS_FILE.text}mine`, version: "v2" };
  server.answer(`PUT ${CLASS_ADDRESS}`, after).answer(`GET ${CLASS_ADDRESS}`, after);
  await user.click(screen.getByRole("button", { name: text.save }));
  expect((await editor()).state.doc.toString()).toBe(after.text);
  expect(server.asked.find(({ method }) => method === "PUT")?.body).toEqual({ text: after.text });
});

test("deleting names the version, closes the file and can be undone", async () => {
  const server = planningServer().answer("DELETE /api/plan/file?path=classes%2F3B.md&version=v1", {});
  const { user } = renderApp(OPEN, server);
  await user.click(await screen.findByRole("button", { name: text.delete }));
  await waitFor(() => {
    expect(window.location.search).not.toContain("file=");
  });
  server.answer("PUT /api/plan/file?path=classes%2F3B.md", CLASS_FILE);
  await user.click(screen.getByRole("button", { name: uiStrings.undo }));
  expect(await screen.findByText(uiStrings.undone(text.deleted(CLASS_FILE.path)))).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "PUT")?.body).toEqual({ text: CLASS_FILE.text });
});

test("a new class begins with the parts that plans are made from", async () => {
  const path = "/api/plan/file?path=classes%2F4A.md";
  const made = { ...CLASS_FILE, path: "classes/4A.md", text: "x", problems: [] };
  const server = planningServer().answer(`PUT ${path}`, made).answer(`GET ${path}`, made);
  const { user } = renderApp("/plan", server);
  await user.click(await screen.findByText(planStrings.workspace.new));
  await user.type(screen.getByLabelText(planStrings.workspace.newPath), "classes/4A.md{Enter}");
  expect(await screen.findByRole("textbox", { name: text.text("classes/4A.md") })).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "PUT")?.body).toEqual({ text: planStrings.workspace.classTemplate("4A") });
});

test("a path that cannot be used is explained", async () => {
  const server = planningServer().fail("PUT /api/plan/file?path=..%2Fx.md", 403, "It leads out of the workspace", "Choose another.");
  const { user } = renderApp("/plan", server);
  await user.click(await screen.findByText(planStrings.workspace.new));
  await user.type(screen.getByLabelText(planStrings.workspace.newPath), "../x.md{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("It leads out of the workspace");
});

const FOUND: ClassMisconceptions = {
  classId: "3B",
  fewest: 5,
  misconceptions: [
    {
      concept: "linear-search",
      title: "Linear search",
      course: "python-algorithms",
      kind: "logic_error",
      idea: "Steps that do not give the wanted result",
      example: "“None” instead of “2”",
      helps: ["Work through one failing example by hand."],
      learners: 8,
      since: "2026-03-02T12:00:00Z",
    },
    {
      concept: "lists",
      title: "Lists and slices",
      course: "python-algorithms",
      kind: "off_by_one",
      idea: "One too many or one too few",
      example: "",
      helps: [],
      learners: 5,
      since: null,
    },
  ],
};
const ADDRESS = "GET /api/plan/classes/3B/misconceptions";

test("only a profile is one of a class", () => {
  expect(classOf("classes/3B.md")).toBe("3B");
  expect(classOf("classes/deep/3B.md")).toBeNull();
  expect(classOf("lessons/3B.md")).toBeNull();
});

test("below the profile stands what many of the class get wrong, with numbers and what helps", async () => {
  renderApp(OPEN, planningServer().answer(ADDRESS, FOUND));
  const part = await screen.findByRole("region", { name: "What 3B gets wrong" });
  const rows = within(part).getAllByRole("row").slice(1);
  expect(rows.map((row) => row.textContent)).toEqual([
    expect.stringContaining("Linear search: Steps that do not give the wanted result"),
    expect.stringContaining("5 learners"),
  ]);
  expect(part.textContent).toContain("As in “None” instead of “2”. Work through one failing example by hand. Since March 2, 2026.");
  expect(part.textContent).toContain("Shown from 5 learners on, never by name.");
});

test("a class of which nothing is known says so in one line", async () => {
  renderApp(OPEN, planningServer().answer(ADDRESS, { ...FOUND, misconceptions: [] }));
  const part = await screen.findByRole("region", { name: "What 3B gets wrong" });
  expect(part.textContent).toContain("Nothing that 5 learners get wrong is known.");
  expect(within(part).queryByRole("table")).toBeNull();
});
