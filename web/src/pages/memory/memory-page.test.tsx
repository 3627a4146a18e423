import "./memory-page";

import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test, vi } from "vitest";

import { strings } from "../../strings";
import type { FakeServer } from "../../testing/fake-server";
import { goodServer, renderApp } from "../../testing/render-app";
import { uiStrings } from "../../ui/strings";
import type {
  MemoryDocument,
  MemoryFile,
  MemoryItem,
  MemoryOverview,
  MemoryPolicies,
  MemoryResult,
  MemoryShown,
} from "../../wire/generated";

// Answers of a server that remembers something.

const NO_TASKS = { tasks: 0, successRate: 0, retries: 0, corrections: 0, toolCalls: 0 };

const OVERVIEW: MemoryOverview = {
  totals: {
    memories: 3,
    superseded: 1,
    scopes: { global: 1, project: 2 },
    types: { note: 3 },
    tiers: { hot: 3 },
    projects: { alpha: 2 },
  },
  logs: [{ path: "/home/me/events.jsonl", lastSeq: 5, indexed: 5 }],
  index: "/home/me/index.db",
  embedder: "static-256",
  backends: ["embedded"],
  cycle: [
    { phase: "record", events: 5, last: "2026-03-01T10:00:00Z", types: { note: 5 } },
    { phase: "organise", events: 0, last: null, types: {} },
    { phase: "recall", events: 0, last: null, types: {} },
    { phase: "improve", events: 0, last: null, types: {} },
  ],
  outcomes: {
    since: "2026-01-01T00:00:00Z",
    withMemory: NO_TASKS,
    withoutMemory: NO_TASKS,
    successLift: 0,
    verdict: "unclear",
    reason: "too few tasks",
  },
};

const ITEM: MemoryItem = {
  id: "m1",
  text: "Anna owns the parser",
  type: "fact",
  scope: "project",
  owner: "me",
  project: "alpha",
  session: "s1",
  speaker: null,
  at: "2026-03-01T10:00:00Z",
  importance: 0.5,
  meta: null,
  supersededBy: null,
};

const RESULT: MemoryResult = { ...ITEM, score: 0.62, why: { lexical: 1.047, vector: 0.29, access: 0 }, tokens: 4 };

const SHOWN: MemoryShown = {
  ...ITEM,
  key: "parser owner",
  task: null,
  outcome: null,
  acl: [],
  evidence: ["src/parser.py:12"],
  agent: { id: "coder-1", role: null, tool: "mcp" },
  sessionId: "s1",
  traceId: "tr-1",
  payload: {},
  line: { seq: 2, hash: "f00", prev: "ba5" },
  earlier: [{ id: "m0", text: "Ben owns the parser", at: "2026-02-01T10:00:00Z" }],
  later: [],
  recalls: [{ at: "2026-03-02T10:00:00Z", query: "Who knows the grammar?", reader: "me", session: null }],
  mine: true,
};

const FILE: MemoryFile = {
  path: "classes/3B/MEMORY.md",
  scope: "class",
  classId: "3B",
  version: "v1",
  lines: 2,
  promptLines: 2,
  writtenBy: "web",
  updatedAt: "2026-03-01T10:00:00Z",
};

const DOCUMENT: MemoryDocument = { ...FILE, text: "# 3B\n- reads aloud\n" };

const POLICIES: MemoryPolicies = {
  current: [
    {
      role: "*",
      scope: "*",
      version: 0,
      stage: "production",
      reason: "as shipped",
      policy: {
        weights: { relevance: 1, importance: 0.05, recency: 0.01, access: 0.005 },
        minScore: 0.1,
        budget: { knowledge: 500 },
        k: { project: 10 },
      },
    },
  ],
  history: [],
};

const RECENT = "GET /api/memory/recent?limit=20";
const SEARCH = "GET /api/memory/search?query=parser&k=20";
const FILE_PATH = "/api/memory/files/classes/3B/MEMORY.md";

function rememberingServer(): FakeServer {
  return goodServer()
    .answer("GET /api/memory", OVERVIEW)
    .answer(RECENT, { memories: [ITEM], total: 1 })
    .answer("GET /api/memory/events/m1", SHOWN)
    .answer("GET /api/memory/files", [FILE])
    .answer(`GET ${FILE_PATH}`, DOCUMENT)
    .answer("GET /api/memory/policies", POLICIES);
}

function searchingServer(): FakeServer {
  return rememberingServer().answer(SEARCH, { results: [RESULT], tookMs: 2.4, leftOut: 3, vectors: true });
}

const documentsText = strings.memory.documents;
const OPEN = "/memory?tab=documents&file=classes%2F3B%2FMEMORY.md";

function field(): Promise<HTMLTextAreaElement> {
  return screen.findByLabelText(documentsText.text(FILE.path));
}

function written(changes: object): object {
  return { ...DOCUMENT, changed: true, merged: false, conflicts: 0, ...changes };
}

test("documents are listed by whom they are about, and open with their length", async () => {
  const server = rememberingServer().answer("GET /api/memory/files", [{ ...FILE, path: "MEMORY.md", classId: null }, FILE]);
  const { user } = renderApp("/memory?tab=documents", server);
  expect(await screen.findByRole("heading", { name: documentsText.teacher })).toBeTruthy();
  expect(screen.getByRole("heading", { name: documentsText.classOf("3B") })).toBeTruthy();
  const [, second] = screen.getAllByRole("button", { name: /MEMORY.md/ });
  if (second === undefined) throw new Error("there is no second document");
  await user.click(second);
  expect((await field()).value).toBe(DOCUMENT.text);
  expect(document.getElementById("document-length")?.textContent).toBe(documentsText.lines(2));
});

test("a save sends the version it was made from, and says that it is saved", async () => {
  const after = written({ text: "# 3B\n- reads aloud\nx", version: "v2" });
  const { user, server } = renderApp(OPEN, rememberingServer().answer(`PUT ${FILE_PATH}`, after));
  await user.type(await field(), "x");
  expect(screen.getByText(documentsText.changed, { exact: false })).toBeTruthy();
  server.answer(`GET ${FILE_PATH}`, after);
  await user.keyboard("{Control>}s{/Control}");
  expect(await screen.findByText(documentsText.saved)).toBeTruthy();
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
  expect(await screen.findByText(documentsText.stale)).toBeTruthy();
  const both = written({ text: "# 3B!\n- reads aloud\nmine\n", version: "v3", merged: true });
  server.answer(`PUT ${FILE_PATH}`, both).answer(`GET ${FILE_PATH}`, both);
  await user.click(screen.getByRole("button", { name: documentsText.save }));
  expect(await screen.findByText(documentsText.merged)).toBeTruthy();
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
  await user.click(screen.getByRole("button", { name: documentsText.save }));
  expect(await screen.findByText(documentsText.conflict(2))).toBeTruthy();
  expect(screen.getByText("[End of both texts]")).toBeTruthy();
});

test("what is not saved survives a look at another part, and can be discarded", async () => {
  const { user } = renderApp(OPEN, rememberingServer());
  await user.type(await field(), "x");
  await user.click(screen.getByRole("tab", { name: strings.memory.tabs.policies }));
  await user.click(screen.getByRole("tab", { name: strings.memory.tabs.documents }));
  expect((await field()).value).toBe(`${DOCUMENT.text}x`);
  await user.click(screen.getByRole("button", { name: documentsText.undo }));
  expect((await field()).value).toBe(DOCUMENT.text);
});

test("a save that is refused keeps the text and says why", async () => {
  const server = rememberingServer().fail(`PUT ${FILE_PATH}`, 403, "This names somebody", "Leave the name out.");
  const { user } = renderApp(OPEN, server);
  await user.type(await field(), "Marek");
  await user.click(screen.getByRole("button", { name: documentsText.save }));
  expect((await screen.findByRole("alert")).textContent).toContain("Leave the name out.");
  expect((await field()).value).toContain("Marek");
});

test("a document too long for prompts says so", async () => {
  const long = { ...DOCUMENT, text: "line\n".repeat(201) };
  renderApp(OPEN, rememberingServer().answer(`GET ${FILE_PATH}`, long));
  expect(await screen.findByText(documentsText.long(200), { exact: false })).toBeTruthy();
});

test("a new document is made from its path and opened", async () => {
  const path = "/api/memory/files/topics.md";
  const made = written({ path: "topics.md", text: "# \n" });
  const server = rememberingServer().answer(`PUT ${path}`, made).answer(`GET ${path}`, made);
  const { user } = renderApp("/memory?tab=documents", server);
  await user.click(await screen.findByText(documentsText.new));
  await user.type(screen.getByLabelText(documentsText.newPath), "topics.md{Enter}");
  expect(await screen.findByLabelText(documentsText.text("topics.md"))).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "PUT")?.body).toEqual({ text: "# \n", base: "" });
});

test("deleting names the version, closes the document and can be undone", async () => {
  const server = rememberingServer().answer(`DELETE ${FILE_PATH}`, { path: FILE.path });
  const { user } = renderApp(OPEN, server);
  await screen.findByRole("button", { name: documentsText.delete });
  server.answer("GET /api/memory/files", []);
  await user.click(screen.getByRole("button", { name: documentsText.delete }));
  expect(await screen.findByText(documentsText.empty)).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "DELETE")?.body).toEqual({ base: "v1" });
  server.answer(`PUT ${FILE_PATH}`, written({})).answer("GET /api/memory/files", [FILE]);
  await user.click(screen.getByRole("button", { name: uiStrings.undo }));
  expect(await screen.findByText(uiStrings.undone(documentsText.deleted(FILE.path)))).toBeTruthy();
  expect(server.asked.find(({ method }) => method === "PUT")?.body).toEqual({ text: DOCUMENT.text, base: "" });
});

const text = strings.memory;

test("the page shows the newest memories, the cycle and where the log is", async () => {
  renderApp("/memory", rememberingServer());
  expect(await screen.findByText(ITEM.text)).toBeTruthy();
  expect(document.title).toBe("Memory · Paige");
  const strip = screen.getByRole("region", { name: text.cycle.heading });
  expect(strip.textContent).toContain("Recorded5");
  expect(strip.textContent).toContain("/home/me/events.jsonl");
});

test("a memory without anything teaches how something gets in", async () => {
  const nothing = { ...OVERVIEW, totals: { ...OVERVIEW.totals, memories: 0, scopes: {}, projects: {} } };
  renderApp("/memory", rememberingServer().answer("GET /api/memory", nothing).answer(RECENT, { memories: [], total: 0 }));
  expect(await screen.findByText(text.search.empty)).toBeTruthy();
  expect(screen.getByText("paige memory add \"The release is on Friday\"")).toBeTruthy();
});

test("typing searches after a rest, and says how long it took and what was left out", async () => {
  const { user, server } = renderApp("/memory", searchingServer());
  await user.type(await screen.findByLabelText(text.search.label), "parser");
  expect(await screen.findByText(text.search.found(1, 2.4, 3))).toBeTruthy();
  expect(screen.getByText(text.search.score(0.62))).toBeTruthy();
  expect(server.asked.filter(({ path }) => path.includes("/search"))).toHaveLength(1);
});

test("scope and project narrow what is shown, and the address remembers them", async () => {
  const server = rememberingServer()
    .answer("GET /api/memory/recent?limit=20&scope=project", { memories: [ITEM], total: 1 })
    .answer("GET /api/memory/recent?limit=20&scope=project&project=alpha", { memories: [], total: 0 });
  const { user } = renderApp("/memory", server);
  const chip = await screen.findByRole("button", { name: text.search.chip("Project", 2) });
  await user.click(chip);
  expect(chip.getAttribute("aria-pressed")).toBe("true");
  await user.selectOptions(screen.getByRole("combobox"), "alpha");
  expect(window.location.search).toBe("?scope=project&project=alpha");
  await user.click(await screen.findByRole("button", { name: text.search.takeAway }));
  expect(await screen.findByText(ITEM.text)).toBeTruthy();
  expect(window.location.search).toBe("");
});

test("a change elsewhere is shown without a reload", async () => {
  const { world, server } = renderApp("/memory", rememberingServer());
  await screen.findByText(ITEM.text);
  server.answer(RECENT, { memories: [{ ...ITEM, id: "m9", text: "Said in another window" }, ITEM], total: 2 });
  act(() => {
    world.accept();
    world.socket.receive("memory:changed", { ids: ["m9"], action: "added" }, { seq: 1, durable: true });
  });
  expect(await screen.findByText("Said in another window")).toBeTruthy();
});

test("the slash leads to the search, and is only a slash while typing", async () => {
  const { user } = renderApp("/memory", rememberingServer());
  const box = await screen.findByLabelText(text.search.label);
  await user.keyboard("/");
  await waitFor(() => {
    expect(document.activeElement).toBe(box);
  });
  await user.keyboard("a/b");
  expect((box as HTMLInputElement).value).toBe("a/b");
});

test("arrow keys lead from the search through the list and back", async () => {
  const { user } = renderApp("/memory", rememberingServer());
  const row = await screen.findByRole("button", { name: new RegExp(ITEM.text) });
  const box = screen.getByLabelText(text.search.label);
  await user.click(box);
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement).toBe(row);
  await user.keyboard("{ArrowUp}");
  expect(document.activeElement).toBe(box);
});

test("a search that fails says why and can be tried again", async () => {
  const server = rememberingServer().fail(SEARCH, 503, "The index cannot be used", "Run `paige memory rebuild`.");
  const { user } = renderApp("/memory?query=parser", server);
  const alert = await screen.findByRole("alert");
  expect(alert.textContent).toContain("paige memory rebuild");
  server.answer(SEARCH, { results: [RESULT], tookMs: 1, leftOut: 0, vectors: true });
  await user.click(within(alert).getByRole("button", { name: strings.errors.retry }));
  expect(await screen.findByText(ITEM.text)).toBeTruthy();
});

test("the policies say what holds, what was tried and why, and whether memory helps", async () => {
  const [now] = POLICIES.current;
  const step = { ...now, at: ITEM.at, role: "coder", version: 1, stage: "rolled_back", reason: "more retries", metrics: { tasks: 40 } };
  const tasks = { tasks: 20, successRate: 0.8, retries: 0, corrections: 0, toolCalls: 6 };
  const outcomes = { ...OVERVIEW.outcomes, withMemory: tasks, verdict: "better" };
  const server = rememberingServer()
    .answer("GET /api/memory/policies", { ...POLICIES, history: [step] })
    .answer("GET /api/memory", { ...OVERVIEW, outcomes });
  const { user } = renderApp("/memory", server);
  await user.click(await screen.findByRole("tab", { name: text.tabs.policies }));
  expect(await screen.findByText("as shipped", { exact: false })).toBeTruthy();
  expect(screen.getByText("more retries", { exact: false }).textContent).toContain("Version 1, rolled back");
  expect(await screen.findByText(text.policies.verdict.better)).toBeTruthy();
  expect(window.location.search).toBe("?tab=policies");
});

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
