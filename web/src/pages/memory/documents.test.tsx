import "./memory-page";

import { act, screen, waitFor } from "@testing-library/react";
import { expect, test } from "vitest";

import { strings } from "../../strings";
import { renderApp } from "../../testing/render-app";
import { uiStrings } from "../../ui/strings";
import { DOCUMENT, FILE, FILE_PATH, rememberingServer } from "./testing/samples";

const text = strings.memory.documents;
const OPEN = "/memory?tab=documents&file=classes%2F3B%2FMEMORY.md";

function field(): Promise<HTMLTextAreaElement> {
  return screen.findByLabelText(text.text(FILE.path));
}

function written(changes: object): object {
  return { ...DOCUMENT, changed: true, merged: false, conflicts: 0, ...changes };
}

test("documents are listed by whom they are about, and open with their length", async () => {
  const server = rememberingServer().answer("GET /api/memory/files", [{ ...FILE, path: "MEMORY.md", classId: null }, FILE]);
  const { user } = renderApp("/memory?tab=documents", server);
  expect(await screen.findByRole("heading", { name: text.teacher })).toBeTruthy();
  expect(screen.getByRole("heading", { name: text.classOf("3B") })).toBeTruthy();
  const [, second] = screen.getAllByRole("button", { name: /MEMORY.md/ });
  if (second === undefined) throw new Error("there is no second document");
  await user.click(second);
  expect((await field()).value).toBe(DOCUMENT.text);
  expect(document.getElementById("document-length")?.textContent).toBe(text.lines(2));
});

test("a save sends the version it was made from, and says that it is saved", async () => {
  const after = written({ text: "# 3B\n- reads aloud\nx", version: "v2" });
  const { user, server } = renderApp(OPEN, rememberingServer().answer(`PUT ${FILE_PATH}`, after));
  await user.type(await field(), "x");
  expect(screen.getByText(text.changed, { exact: false })).toBeTruthy();
  server.answer(`GET ${FILE_PATH}`, after);
  await user.keyboard("{Control>}s{/Control}");
  expect(await screen.findByText(text.saved)).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "PUT")?.body).toEqual({ text: "# 3B\n- reads aloud\nx", base: "v1" });
});

test("a text made from an old version is announced, merged, and the merge is shown", async () => {
  const { user, server, world } = renderApp(OPEN, rememberingServer());
  await user.type(await field(), "mine");
  server.answer(`GET ${FILE_PATH}`, { ...DOCUMENT, text: "# 3B!\n- reads aloud\n", version: "v2" });
  act(() => {
    world.accept();
    world.socket.receive("memory:changed", { ids: [FILE.path], action: "document" }, { seq: 1, durable: true });
  });
  expect(await screen.findByText(text.stale)).toBeTruthy();
  const both = written({ text: "# 3B!\n- reads aloud\nmine\n", version: "v3", merged: true });
  server.answer(`PUT ${FILE_PATH}`, both).answer(`GET ${FILE_PATH}`, both);
  await user.click(screen.getByRole("button", { name: text.save }));
  expect(await screen.findByText(text.merged)).toBeTruthy();
  expect((await field()).value).toBe("# 3B!\n- reads aloud\nmine\n");
  expect(server.asked.find(({ method }) => method === "PUT")?.body).toMatchObject({ base: "v1" });
});

test("a document nobody is changing here follows what is changed elsewhere", async () => {
  const { server, world } = renderApp(OPEN, rememberingServer());
  await field();
  server.answer(`GET ${FILE_PATH}`, { ...DOCUMENT, text: "new\n", version: "v2" });
  act(() => {
    world.accept();
    world.socket.receive("memory:changed", { ids: [FILE.path], action: "document" }, { seq: 1, durable: true });
  });
  await waitFor(async () => {
    expect((await field()).value).toBe("new\n");
  });
});

test("places that both sides changed are counted, and it says where to look", async () => {
  const both = written({ text: "[Both texts are kept.", version: "v3", merged: true, conflicts: 2 });
  const { user, server } = renderApp(OPEN, rememberingServer().answer(`PUT ${FILE_PATH}`, both));
  await user.type(await field(), "x");
  server.answer(`GET ${FILE_PATH}`, both);
  await user.click(screen.getByRole("button", { name: text.save }));
  expect(await screen.findByText(text.conflict(2))).toBeTruthy();
  expect(screen.getByText("[End of both texts]")).toBeTruthy();
});

test("what is not saved survives a look at another part, and can be discarded", async () => {
  const { user } = renderApp(OPEN, rememberingServer());
  await user.type(await field(), "x");
  await user.click(screen.getByRole("tab", { name: strings.memory.tabs.policies }));
  await user.click(screen.getByRole("tab", { name: strings.memory.tabs.documents }));
  expect((await field()).value).toBe(`${DOCUMENT.text}x`);
  await user.click(screen.getByRole("button", { name: text.undo }));
  expect((await field()).value).toBe(DOCUMENT.text);
});

test("a save that is refused keeps the text and says why", async () => {
  const server = rememberingServer().fail(`PUT ${FILE_PATH}`, 403, "This names somebody", "Leave the name out.");
  const { user } = renderApp(OPEN, server);
  await user.type(await field(), "Marek");
  await user.click(screen.getByRole("button", { name: text.save }));
  expect((await screen.findByRole("alert")).textContent).toContain("Leave the name out.");
  expect((await field()).value).toContain("Marek");
});

test("a document too long for prompts says so", async () => {
  const long = { ...DOCUMENT, text: "line\n".repeat(201) };
  renderApp(OPEN, rememberingServer().answer(`GET ${FILE_PATH}`, long));
  expect(await screen.findByText(text.long(200), { exact: false })).toBeTruthy();
});

test("a new document is made from its path and opened", async () => {
  const path = "/api/memory/files/topics.md";
  const made = written({ path: "topics.md", text: "# \n" });
  const server = rememberingServer().answer(`PUT ${path}`, made).answer(`GET ${path}`, made);
  const { user } = renderApp("/memory?tab=documents", server);
  await user.click(await screen.findByText(text.new));
  await user.type(screen.getByLabelText(text.newPath), "topics.md{Enter}");
  expect(await screen.findByLabelText(text.text("topics.md"))).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "PUT")?.body).toEqual({ text: "# \n", base: "" });
});

test("deleting names the version, closes the document and can be undone", async () => {
  const server = rememberingServer().answer(`DELETE ${FILE_PATH}`, { path: FILE.path });
  const { user } = renderApp(OPEN, server);
  await screen.findByRole("button", { name: text.delete });
  server.answer("GET /api/memory/files", []);
  await user.click(screen.getByRole("button", { name: text.delete }));
  expect(await screen.findByText(text.empty)).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "DELETE")?.body).toEqual({ base: "v1" });
  server.answer(`PUT ${FILE_PATH}`, written({})).answer("GET /api/memory/files", [FILE]);
  await user.click(screen.getByRole("button", { name: uiStrings.undo }));
  expect(await screen.findByText(uiStrings.undone(text.deleted(FILE.path)))).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "PUT")?.body).toEqual({ text: DOCUMENT.text, base: "" });
});
