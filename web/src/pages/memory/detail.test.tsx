import "./memory-page";

import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { strings } from "../../strings";
import { renderApp } from "../../testing/render-app";
import { ITEM, RECENT, rememberingServer, searchingServer, SHOWN } from "./testing/samples";

const text = strings.memory;

test("a found memory opens with its origin, its versions, its uses and why it was found", async () => {
  const { user } = renderApp("/memory?query=parser", searchingServer());
  await user.click(await screen.findByRole("button", { name: new RegExp(ITEM.text) }));
  const why = await screen.findByRole("heading", { name: text.detail.why });
  const panel = why.closest("aside, [role=dialog]");
  expect(panel?.textContent).toContain("src/parser.py:12");
  expect(panel?.textContent).toContain("coder-1 · mcp");
  expect(panel?.textContent).toContain(text.detail.line(2));
  expect(panel?.textContent).toContain("Ben owns the parser");
  expect(panel?.textContent).toContain("Who knows the grammar?");
  // Parts that add nothing are left out; the table has the same numbers as the bars.
  const table = screen.getByRole("table", { hidden: true });
  expect(within(table).getAllByRole("row", { hidden: true }).map((row) => row.textContent)).toEqual([
    "PartAdds",
    "Words1.047",
    "Meaning0.290",
  ]);
});

test("closing gives the focus back to the row", async () => {
  const { user } = renderApp("/memory", rememberingServer());
  const row = await screen.findByRole("button", { name: new RegExp(ITEM.text) });
  await user.click(row);
  await screen.findByRole("heading", { name: text.detail.origin });
  await user.keyboard("{Escape}");
  await waitFor(() => {
    expect(document.activeElement).toBe(row);
  });
  expect(screen.queryByRole("heading", { name: text.detail.origin })).toBeNull();
});

test("editing saves a new version and leads to it", async () => {
  const server = rememberingServer()
    .answer("PATCH /api/memory/events/m1", { id: "m2", status: "stored", reason: null })
    .answer("GET /api/memory/events/m2", { ...SHOWN, id: "m2", text: "Ben owns the parser now" });
  const { user } = renderApp("/memory?id=m1", server);
  await user.click(await screen.findByRole("button", { name: text.detail.edit }));
  const field = screen.getByLabelText(text.edit.label);
  expect(document.activeElement).toBe(field);
  await user.clear(field);
  await user.type(field, "Ben owns the parser now");
  await user.click(screen.getByRole("button", { name: text.edit.save }));
  expect(await screen.findByText("Ben owns the parser now")).toBeTruthy();
  expect(window.location.search).toBe("?id=m2");
});

test("an edit that is refused says why at the field", async () => {
  const server = rememberingServer().fail("PATCH /api/memory/events/m1", 403, "`Anna` is a name", "Leave names out.");
  const { user } = renderApp("/memory?id=m1", server);
  await user.click(await screen.findByRole("button", { name: text.detail.edit }));
  await user.type(screen.getByLabelText(text.edit.label), "!");
  await user.click(screen.getByRole("button", { name: text.edit.save }));
  expect((await screen.findByRole("alert")).textContent).toBe("Anna is a nameLeave names out.");
});

test("forgetting shows what goes, says that it cannot be undone, and closes the panel", async () => {
  const going = [
    { id: "m0", type: "fact", at: ITEM.at, shown: "Ben owns the parser", why: "an earlier version of `m1`" },
    { id: "m1", type: "fact", at: ITEM.at, shown: ITEM.text, why: "asked for by id" },
  ];
  const server = rememberingServer()
    .answer("POST /api/memory/forget", { going, refused: [], missing: [], lines: 0, remains: [] })
    .answer("DELETE /api/memory/events/m1", { going, refused: [], missing: [], lines: 2, remains: ["A backup has them"] });
  const { user } = renderApp("/memory?id=m1", server);
  await user.click(await screen.findByRole("button", { name: text.detail.forget }));
  const dialog = await screen.findByRole("alertdialog");
  expect(dialog.textContent).toContain("cannot be undone");
  await within(dialog).findByText("Ben owns the parser");
  expect(document.activeElement).toBe(within(dialog).getByRole("button", { name: text.forget.cancel }));
  expect(server.asked.some(({ method }) => method === "DELETE")).toBe(false);
  server.answer(RECENT, { memories: [], total: 0 });
  await user.click(within(dialog).getByRole("button", { name: text.forget.confirm(2) }));
  expect(await screen.findByText(text.forget.done(2))).toBeTruthy();
  expect(await screen.findByText("A backup has them")).toBeTruthy();
  await waitFor(() => {
    expect(screen.queryByText(text.detail.origin)).toBeNull();
  });
  expect(window.location.search).toBe("");
});

test("a memory that is forgotten elsewhere leaves this window too", async () => {
  const { world } = renderApp("/memory?id=m1", rememberingServer());
  await screen.findByText("src/parser.py:12");
  act(() => {
    world.accept();
    world.socket.receive("memory:changed", { ids: ["m1"], action: "forgotten" }, { seq: 1, durable: true });
  });
  expect(await screen.findByText(text.detail.forgotten)).toBeTruthy();
  expect(screen.queryByText("src/parser.py:12")).toBeNull();
});

test("what belongs to someone else can be read only", async () => {
  renderApp("/memory?id=m1", rememberingServer().answer("GET /api/memory/events/m1", { ...SHOWN, mine: false, owner: "anna" }));
  expect(await screen.findByText(text.detail.notMine("anna"))).toBeTruthy();
  expect(screen.queryByRole("button", { name: text.detail.edit })).toBeNull();
  expect(screen.queryByRole("button", { name: text.detail.forget })).toBeNull();
});

test("the id goes to the clipboard, and a closed clipboard is explained", async () => {
  const { user } = renderApp("/memory?id=m1", rememberingServer());
  await user.click(await screen.findByRole("button", { name: text.detail.copyId }));
  expect(await screen.findByText(text.detail.copied)).toBeTruthy();
  expect(await navigator.clipboard.readText()).toBe("m1");
  vi.spyOn(navigator.clipboard, "writeText").mockRejectedValue(new Error("closed"));
  await user.click(screen.getByRole("button", { name: text.detail.copyId }));
  expect(await screen.findByText(text.detail.copyFailedHint)).toBeTruthy();
});
