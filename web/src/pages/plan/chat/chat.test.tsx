import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { renderApp } from "../../../testing/render-app";
import type { PlanRun, PlanTranscript } from "../../../wire/generated";
import { planStrings } from "../strings";
import {
  cleanUp,
  DRAFT,
  gate,
  JUDGING,
  KNOWN,
  makeWide,
  planningServer,
  RUN,
  SESSION,
  sessionServer,
  transcript,
  waiting,
} from "../testing/samples";
import { completeIn, newsOf, restOf } from "./conversation";
import { findIn, firstHit, plainWords, rangesIn } from "./find-bar";

const text = planStrings.chat;
const AT_SESSION = "/plan?session=s1";

beforeEach(makeWide);
afterEach(cleanUp);

function chat(): HTMLElement {
  return screen.getByRole("region", { name: planStrings.panes.chat });
}

test("a session shows what was asked, what was answered and the tools, folded away", async () => {
  const tools = [
    { name: "read_file", input: { path: "classes/3B.md" }, result: "# 3B", failed: false },
    { name: "my_tool", input: {}, result: "", failed: true },
  ];
  const said = [...RUN.said, { role: "agent" as const, text: "I looked **first**.", tools }];
  renderApp(AT_SESSION, sessionServer(transcript({ said, turns: 3, costUsd: 0.02, source: "claude" })));
  expect(await screen.findByText("first")).toBeTruthy();
  const steps = screen.getByText(/2 steps: Read a file, my tool/);
  expect(steps.closest("details")?.open).toBe(false);
  expect(chat().textContent).toContain("classes/3B.md");
  expect(chat().textContent).toContain(`my tool  ${text.stepFailed}`);
  expect(screen.getByText("Written by claude · 3 turns · $0.0200")).toBeTruthy();
});

test("words appear as they are written, and nobody is told of each", async () => {
  const { world, server } = renderApp(AT_SESSION, sessionServer(transcript({ state: "running", status: null })));
  await screen.findByText(text.working);
  const delta = { run: "r1", step: "t1/model", attempt: 1, start: 0, text: "# Fixed" };
  act(() => {
    world.accept();
    world.socket.receive("plan:delta", delta);
    world.socket.receive("plan:delta", { ...delta, start: 7, text: " loops" });
  });
  expect(await screen.findByRole("heading", { name: "Fixed loops" })).toBeTruthy();
  expect(screen.getByText(text.writing)).toBeTruthy();
  const told = within(chat()).getAllByRole("status").map(({ textContent }) => textContent);
  expect(told.join("")).toBe("");
  // Finished: the words are those that the server kept, and that is said.
  server.answer("GET /api/plan/sessions/s1", transcript({ said: [...RUN.said, { role: "agent", text: DRAFT, tools: [] }], lesson: "lessons/loops.md" }));
  act(() => {
    world.socket.receive("plan:run", { session: "s1", run: "r1", state: "ended", status: "success", reason: null }, { seq: 1, durable: true });
  });
  expect(await screen.findByText(text.saved)).toBeTruthy();
  expect(within(chat()).getByText(text.announce.saved)).toBeTruthy();
});

test("written words stay in sight until they stand there as said", async () => {
  const { world, server } = renderApp(AT_SESSION, sessionServer(transcript({ state: "running", status: null })));
  await screen.findByText(text.working);
  act(() => {
    world.accept();
    world.socket.receive("plan:delta", { run: "r1", step: "t1/model", attempt: 1, start: 0, text: "All the words" });
  });
  const feed = (await screen.findByText("All the words")).closest("article");
  const seen: number[] = [];
  const observer = new MutationObserver(() => seen.push(feed?.textContent.split("All the words").length ?? 0));
  observer.observe(feed ?? document, { subtree: true, childList: true, characterData: true });
  server.answer(
    "GET /api/plan/sessions/s1",
    transcript({ state: "running", status: null, said: [...RUN.said, { role: "agent", text: "All the words", tools: [] }] }),
  );
  act(() => {
    world.socket.receive("plan:run", { session: "s1", run: "r1", state: "running", status: null, reason: null }, { seq: 1, durable: true });
  });
  await waitFor(() => {
    expect(screen.queryByText(text.writing)).toBeNull();
  });
  observer.disconnect();
  expect(seen.length).toBeGreaterThan(0);
  expect(Math.min(...seen)).toBe(2);
});

test("missing words are asked for again", async () => {
  const { world, server } = renderApp(AT_SESSION, sessionServer(transcript({ state: "running", status: null })));
  await screen.findByText(text.working);
  server.answer(
    "GET /api/plan/sessions/s1",
    transcript({ state: "running", status: null, writing: { step: "t1/model", attempt: 1, text: "All the words" } }),
  );
  act(() => {
    world.accept();
    world.socket.receive("plan:delta", { run: "r1", step: "t1/model", attempt: 1, start: 8, text: "words" });
  });
  expect(await screen.findByText("All the words")).toBeTruthy();
});

test("a tool is named while it runs, and the session is read again after it", async () => {
  const { world, server } = renderApp(AT_SESSION, sessionServer(transcript({ state: "running", status: null })));
  await screen.findByText(text.working);
  act(() => {
    world.accept();
    world.socket.receive("plan:step", { run: "r1", step: "t1/tool/1", name: "read_file", state: "started" });
  });
  expect(screen.getByText(text.stepNow("Read a file"))).toBeTruthy();
  const before = server.asked.length;
  await waitFor(() => {
    expect(server.asked.slice(before).some(({ path }) => path === "/api/plan/sessions/s1")).toBe(true);
  });
});

test("a run is stopped, and continued where it was", async () => {
  const server = sessionServer(transcript({ state: "running", status: null }))
    .answer("POST /api/plan/runs/r1/stop", { session: "s1", run: "r1" })
    .answer("POST /api/plan/runs/r1/continue", { session: "s1", run: "r1" });
  const { user } = renderApp(AT_SESSION, server);
  expect(await screen.findByText(planStrings.composer.wait)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: text.stop }));
  server.answer("GET /api/plan/sessions/s1", transcript({ state: "interrupted", status: null, reason: "It was stopped." }));
  await user.click(screen.getByRole("button", { name: text.stop }));
  expect(await screen.findByText("It was stopped.")).toBeTruthy();
  expect(screen.getByText(planStrings.composer.continueFirst)).toBeTruthy();
  server.answer("GET /api/plan/sessions/s1", waiting(KNOWN));
  await user.click(screen.getByRole("button", { name: text.continue }));
  const question = await screen.findByRole("heading", { name: "What I know about 3B" });
  // Who asked for it is led to what comes.
  expect(document.activeElement).toBe(question);
});

test("a run that ended early says why, and its request can be changed", async () => {
  const reason = "`book a flight` is not about planning.";
  const { user } = renderApp(AT_SESSION, sessionServer(transcript({ status: "error_hook_abort", reason })));
  expect(await screen.findByRole("heading", { name: "Paige did not go on" })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: text.again }));
  expect(screen.getByLabelText<HTMLTextAreaElement>(planStrings.composer.follow).value).toBe(RUN.prompt);
});

test("after a lesson one usually wants to change it, in the same session", async () => {
  const server = sessionServer(transcript({ lesson: "lessons/loops.md" })).answer("POST /api/plan/runs", { session: "s1", run: "r2" });
  const { user } = renderApp(AT_SESSION, server);
  await user.type(await screen.findByLabelText(planStrings.composer.follow), "Shorter{Enter}");
  await waitFor(() => {
    expect(server.asked.find(({ method }) => method === "POST")?.body).toMatchObject({
      command: "lesson-planning:refine-lesson",
      session: "s1",
    });
  });
  await user.click(screen.getByRole("button", { name: text.savedOpen }));
  expect(new URLSearchParams(window.location.search).get("lesson")).toBe("lessons/loops.md");
});

test("a draft is folded away once it is judged section by section", async () => {
  const said = [...RUN.said, { role: "agent" as const, text: DRAFT, tools: [] }];
  renderApp(AT_SESSION, sessionServer(transcript({ state: "waiting", status: null, said, gates: [JUDGING] })));
  const summary = await screen.findByText("Fixed loops", { selector: "summary span" });
  expect(summary.closest("details")?.open).toBe(false);
});

test("a session that does not exist says so", async () => {
  renderApp(AT_SESSION, sessionServer(transcript({})).fail("GET /api/plan/sessions/s1", 404, "There is no session `s1`"));
  expect((await screen.findByRole("alert")).textContent).toContain("There is no session s1");
});

test("after a break in the connection the session is read again", async () => {
  const { world, server } = renderApp(AT_SESSION, sessionServer(transcript({ state: "running", status: null })));
  await screen.findByText(text.working);
  act(() => {
    world.accept();
    world.socket.listener.closed(1006);
    world.advance(60_000);
  });
  server.answer("GET /api/plan/sessions/s1", waiting(KNOWN));
  act(() => {
    world.accept();
  });
  expect(await screen.findByRole("heading", { name: "What I know about 3B" })).toBeTruthy();
});

test("a new request is one click away, and what was half written is still there", async () => {
  const { user } = renderApp(AT_SESSION, sessionServer(transcript({})));
  await user.type(await screen.findByLabelText(planStrings.composer.follow), "Half");
  await user.click(screen.getByRole("button", { name: planStrings.sessions.new }));
  expect(await screen.findByRole("heading", { name: planStrings.welcome.heading })).toBeTruthy();
  await user.click(screen.getByRole("button", { name: /Iteration for 3B/ }));
  expect((await screen.findByLabelText<HTMLTextAreaElement>(planStrings.composer.follow)).value).toBe("Half");
});

test("only what is finished is announced", () => {
  expect(newsOf(undefined)).toBeNull();
  expect(newsOf({ ...RUN, state: "running" })).toBeNull();
  expect(newsOf({ ...RUN, state: "interrupted" })).toBe(text.announce.interrupted);
  expect(newsOf(RUN)).toBe(text.announce.done);
  expect(newsOf({ ...RUN, status: "error_max_turns", reason: "Too many." })).toBe(text.announce.failed("Too many."));
  expect(newsOf({ ...RUN, state: "waiting", gates: [gate("x", { kind: "choices", title: "Which?" })] })).toBe(text.announce.asks("Which?"));
});

const habitsText = planStrings.branches;
const OTHER: PlanRun = { ...RUN, id: "r9", session: "s9", prompt: "Selection for 3B" };
const BRANCHES = {
  r1: [
    { session: "s1", run: "r1" },
    { session: "s9", run: "r9" },
  ],
};

function branched(run: PlanRun, session: string): PlanTranscript {
  const branches = { [run.id]: BRANCHES.r1 };
  return { ...transcript(run, { id: session }), branches };
}

test("a request is said differently in a branch, and the old one is one step away", async () => {
  const server = sessionServer(branched(RUN, "s1"))
    .answer("GET /api/plan/sessions/s9", branched(OTHER, "s9"))
    .answer("POST /api/plan/runs/r1/branch", { session: "s9", run: "r9" });
  const { user } = renderApp("/plan?session=s1", server);
  await user.click(await screen.findByRole("button", { name: habitsText.edit }));
  const box = screen.getByLabelText<HTMLTextAreaElement>(habitsText.editLabel);
  expect(box.value).toBe(RUN.prompt);
  await user.clear(box);
  await user.type(box, "Selection for 3B{Enter}");
  await screen.findByRole("article", { name: "Selection for 3B" });
  expect(server.asked.find(({ method }) => method === "POST")?.body).toEqual({ input: "Selection for 3B" });
  const group = screen.getByRole("group", { name: habitsText.group });
  expect(group.textContent).toBe(habitsText.count(2, 2));
  within(group).getByRole("button", { name: habitsText.previous }).focus();
  await user.keyboard("{ArrowRight}{ArrowLeft}");
  expect(await screen.findByRole("article", { name: RUN.prompt })).toBeTruthy();
});

test("what cannot be asked again stays, with the reason", async () => {
  const server = sessionServer(transcript({}))
    .fail("POST /api/plan/runs/r1/branch", 503, "Nobody can answer");
  const { user } = renderApp("/plan?session=s1", server);
  await user.click(await screen.findByRole("button", { name: habitsText.askAgain }));
  expect((await screen.findAllByText(/Nobody can answer/)).length).toBeGreaterThan(0);
  await user.click(screen.getByRole("button", { name: habitsText.edit }));
  await user.type(screen.getByLabelText(habitsText.editLabel), " please{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("Nobody can answer");
  expect(screen.getByLabelText<HTMLTextAreaElement>(habitsText.editLabel).value).toBe(`${RUN.prompt} please`);
  await user.keyboard("{Escape}");
  expect(screen.queryByLabelText(habitsText.editLabel)).toBeNull();
});

test("a session is searched, and the search is left again", async () => {
  const said = [...RUN.said, { role: "agent" as const, text: "Begin with **loops**, then more loops.", tools: [] }];
  const { user } = renderApp("/plan?session=s1", sessionServer(transcript({ said })));
  await screen.findByText("loops", { selector: "strong" });
  await user.keyboard("{Control>}f{/Control}");
  const box = await screen.findByRole("textbox", { name: planStrings.find.label });
  await user.type(box, "loops");
  expect(await screen.findByText(planStrings.find.count(1, 2))).toBeTruthy();
  await user.type(box, "{Enter}");
  expect(await screen.findByText(planStrings.find.count(2, 2))).toBeTruthy();
  await user.clear(box);
  await user.type(box, "herons");
  expect(await screen.findByText(planStrings.find.nothing)).toBeTruthy();
  await user.type(box, "{Escape}");
  expect(screen.queryByRole("textbox", { name: planStrings.find.label })).toBeNull();
});

test("a branch says in the list what it branched off from", async () => {
  const branch = { ...SESSION, branchOf: { id: "s0", title: "Loops" } };
  renderApp("/plan", planningServer().answer("GET /api/plan/sessions?limit=7", { sessions: [branch] }));
  expect(await screen.findByRole("button", { name: /Branch of Loops/ })).toBeTruthy();
});

test("earlier runs are asked for when they are needed, and each has its place", async () => {
  const all = Array.from({ length: 50 }, (_, at) => ({ ...RUN, id: `r${at}`, prompt: `Request ${at}` }));
  const whole = { ...transcript({}), total: 50 };
  const server = planningServer()
    .answer("GET /api/plan/sessions/s1", { ...whole, first: 40, runs: all.slice(40) })
    .answer("GET /api/plan/sessions/s1?from=0&limit=40", { ...whole, first: 0, runs: all.slice(0, 40) });
  renderApp("/plan?session=s1", server);
  const last = await screen.findByRole("article", { name: "Request 49" });
  expect(last.getAttribute("aria-posinset")).toBe("50");
  expect(last.getAttribute("aria-setsize")).toBe("50");
  expect(await screen.findByRole("article", { name: "Request 7" })).toBeTruthy();
  expect(server.asked.filter(({ path }) => path.includes("from=0"))).toHaveLength(1);
});

test("words are found as they are read, together or else each", () => {
  const run = { ...RUN, said: [...RUN.said, { role: "agent" as const, text: DRAFT, tools: [] }] };
  expect(findIn([run, null], "use a   LOOP").hits).toEqual([{ row: 0, part: "said-0", nth: 0 }]);
  expect(findIn([run], "loops outcome").hits).toHaveLength(2);
  expect(findIn([run], " ").hits).toEqual([]);
  expect(findIn([run], "a(b").hits).toEqual([]);
  const hits = [{ row: 2, part: "prompt", nth: 0 }];
  expect(firstHit(hits, 1)).toBe(hits[0]);
  expect(firstHit(hits, 3)).toBeNull();
  expect(plainWords("# A **b**\n\n- [x] c &amp; d\n- `e`\n\n|f|\n|-|\n|g|\n\n> h<!-- i -->")).toMatch(/^A b\n+c & d\ne\n+f\ng\n+h$/);
});

test("a place that spans several nodes is found whole", () => {
  const part = document.createElement("p");
  part.innerHTML = "one <b>two</b> three";
  expect(rangesIn(part, /one two|three/giu).map(String)).toEqual(["one two", "three"]);
});

test("only whole sentences are told, and of a document its headings", () => {
  const heading = (title: string): string => `Writes ${title}`;
  expect(completeIn("Hello the", 0, heading)).toEqual({ lines: [], upto: 0 });
  expect(completeIn("Hello **there**. And mo", 0, heading)).toEqual({ lines: ["Hello there."], upto: 16 });
  expect(completeIn("Hello **there**. And more. X", 16, heading)).toEqual({ lines: ["And more."], upto: 26 });
  expect(restOf("Hello **there**. And mo", 16, heading)).toEqual(["And mo"]);
  expect(completeIn("# Loops\n\nMuch text. More.\n## Starter\nx", 0, heading).lines).toEqual(["Writes Loops", "Writes Starter"]);
});
