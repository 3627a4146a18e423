import { act, screen, waitFor, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { strings } from "../../strings";
import { renderApp } from "../../testing/render-app";
import { markdownStrings } from "../../ui/markdown";
import type { PlanProposal } from "../../wire/generated";
import { planStrings } from "./strings";
import {
  CLASS_FILE,
  cleanUp,
  EVIDENCE,
  FILES,
  LESSON,
  LESSON_ADDRESS,
  makeWide,
  OVERVIEW,
  planningServer,
  SESSION,
} from "./testing/samples";

const text = planStrings;

beforeEach(makeWide);
afterEach(cleanUp);

function query(name: string): string | null {
  return new URLSearchParams(window.location.search).get(name);
}

test("an empty desk teaches: what one can ask for, the classes, and who writes", async () => {
  const { user } = renderApp("/plan", planningServer());
  expect(await screen.findByRole("heading", { name: text.welcome.heading })).toBeTruthy();
  expect(document.title).toBe("Plan · Paige");
  expect(screen.getByRole("heading", { level: 1 }).textContent).toBe("Plan");
  expect(await screen.findByText(text.welcome.local)).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "Iteration with for loops for 3B" }));
  const box = screen.getByLabelText<HTMLTextAreaElement>(text.composer.label);
  expect(box.value).toBe("Iteration with for loops for 3B");
  await waitFor(() => {
    expect(document.activeElement).toBe(box);
  });
  // A subject nobody has written an example for gets one that suits any.
  expect(screen.getByRole("button", { name: text.welcome.anyRequest("2A") })).toBeTruthy();
});

test("a request is sent with its command and class, and leads to its session", async () => {
  const server = planningServer().answer("POST /api/plan/runs", { session: "s1", run: "r1" });
  const { user } = renderApp("/plan", server);
  await screen.findByText(text.welcome.local);
  await user.type(screen.getByLabelText(text.composer.label), "Loops{Shift>}{Enter}{/Shift}with turtles");
  await user.selectOptions(screen.getByLabelText(text.composer.class), "3B");
  await user.click(screen.getByLabelText(text.composer.memory));
  await user.click(screen.getByLabelText(text.composer.label));
  await user.keyboard("{Enter}");
  await waitFor(() => {
    expect(query("session")).toBe("s1");
  });
  expect(server.asked.find(({ method }) => method === "POST")?.body).toEqual({
    command: "lesson-planning:create-lesson",
    input: "Loops\nwith turtles",
    classId: "3B",
    session: null,
    memory: false,
  });
});

test("a request that is refused stays, with the reason", async () => {
  const server = planningServer().fail("POST /api/plan/runs", 404, "There is no command", "Choose one.");
  const { user } = renderApp("/plan", server);
  await screen.findByText(text.welcome.local);
  expect(screen.getByRole("button", { name: text.composer.send }).hasAttribute("disabled")).toBe(true);
  await user.type(screen.getByLabelText(text.composer.label), "Loops{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("Choose one.");
  expect(screen.getByLabelText<HTMLTextAreaElement>(text.composer.label).value).toBe("Loops");
  await user.type(screen.getByLabelText(text.composer.label), "!");
  expect(screen.queryByRole("alert")).toBeNull();
});

test("commands that need a model say so where there is none", async () => {
  renderApp("/plan", planningServer());
  expect(await screen.findByRole("option", { name: text.composer.needsModel("Cover lesson") })).toBeTruthy();
});

test("the workspace is shown by what files are; what is no text cannot be opened", async () => {
  const memory = [{ path: "classes/3B/MEMORY.md", scope: "class", classId: "3B" }, { path: "style.md", scope: "teacher", classId: null }];
  const server = planningServer()
    .answer("GET /api/memory/files", memory)
    .answer("GET /api/plan", { ...OVERVIEW, problems: CLASS_FILE.problems, waiting: 2 });
  renderApp("/plan", server);
  const pane = await screen.findByRole("region", { name: text.panes.workspace });
  expect(await within(pane).findByRole("button", { name: /Fixed loops/ })).toBeTruthy();
  expect(within(pane).getByText(text.workspace.groups.units)).toBeTruthy();
  expect((await within(pane).findByRole("button", { name: /^3B/ })).textContent).toContain(text.workspace.problems(1));
  expect(within(pane).getByTitle(text.workspace.notText).hasAttribute("disabled")).toBe(true);
  expect(within(pane).getByRole("link", { name: text.workspace.memoryClass("3B") }).getAttribute("href")).toBe(
    "/memory?tab=documents&file=classes%2F3B%2FMEMORY.md",
  );
  expect(within(pane).getByRole("link", { name: "style" })).toBeTruthy();
  expect(within(pane).getByText(text.sessions.waiting(2))).toBeTruthy();
  // The same problems are named on the desk, with a way to the line.
  expect(screen.getByRole("button", { name: "classes/3B.md, Line 3" })).toBeTruthy();
});

test("sessions are found by their words, shown bit by bit, and opened", async () => {
  const many = Array.from({ length: 7 }, (_, place) => ({ ...SESSION, id: `s${place + 1}`, title: `Session ${place + 1}` }));
  const server = planningServer()
    .answer("GET /api/plan/sessions?limit=7", { sessions: many })
    .answer("GET /api/plan/sessions?limit=19", { sessions: many })
    .answer("GET /api/plan/sessions?query=robots&limit=19", { sessions: [] });
  const { user } = renderApp("/plan", server);
  await screen.findByRole("button", { name: /Session 6/ });
  expect(screen.queryByRole("button", { name: /Session 7/ })).toBeNull();
  await user.click(screen.getByRole("button", { name: text.sessions.more }));
  await user.click(await screen.findByRole("button", { name: /Session 7/ }));
  expect(query("session")).toBe("s7");
  await user.type(screen.getByLabelText(text.sessions.search), "robots");
  expect(await screen.findByText(text.sessions.nothing)).toBeTruthy();
});

test("a lesson is read: its facts, its time, its evidence, and the curriculum line beside it", async () => {
  const lines = "GET /api/plan/lines?path=curriculum%2Fcfe-computing.md&start=12&end=12";
  const server = planningServer().answer(lines, {
    path: EVIDENCE.file,
    first: 11,
    start: 12,
    end: 12,
    lines: ["### Designing", "- **TCH 3-15a** (grade A) Choose tools"],
  });
  const { user } = renderApp("/plan?lesson=lessons%2Floops.md", server);
  const lesson = await screen.findByRole("article", { name: "Fixed loops" });
  expect(lesson.textContent).toContain("Class 3B");
  expect(lesson.textContent).toContain(text.document.total(8));
  expect(lesson.textContent).toContain(text.evidence.holds(1));
  const [, pointer] = within(lesson).getAllByRole("button", { name: markdownStrings.open("TCH 3-15a") });
  if (pointer === undefined) throw new Error("there is no pointer in the text");
  await user.click(pointer);
  const panel = await screen.findByRole("complementary");
  expect(await within(panel).findByText(/Choose tools/)).toBeTruthy();
  expect(query("lines")).toBe("curriculum/cfe-computing.md#L12-L12");
  await user.keyboard("{Escape}");
  expect(screen.queryByRole("complementary")).toBeNull();
  await waitFor(() => {
    expect(document.activeElement).toBe(pointer);
  });
});

test("what does not hold in a lesson is said with its reason, and faults lead to their line", async () => {
  const broken = { ...EVIDENCE, valid: false, reason: "`TCH 9-99z` is no code", start: null, end: null };
  const unsure = { ...EVIDENCE, verified: false, grade: "C" };
  const faults = [{ path: LESSON.path, line: 9, message: "The minutes do not add up" }];
  const { user } = renderApp(
    "/plan?lesson=lessons%2Floops.md",
    planningServer().answer(`GET ${LESSON_ADDRESS}`, { ...LESSON, evidence: [broken, unsure], faults }),
  );
  const lesson = await screen.findByRole("article", { name: "Fixed loops" });
  expect(lesson.textContent).toContain(text.evidence.broken(1));
  expect(lesson.textContent).toContain(text.evidence.unverified(1));
  expect(lesson.textContent).toContain("TCH 9-99z is no code");
  expect(lesson.textContent).toContain(text.evidence.unverifiedHint("C"));
  await user.click(within(lesson).getByRole("button", { name: text.document.line(9) }));
  expect([query("file"), query("line")]).toEqual([LESSON.path, "9"]);
});

test("an export that cannot be made says why", async () => {
  const address = "/api/plan/export?path=lessons%2Floops.md&to=ics";
  const server = planningServer().fail(`GET ${address}`, 400, "It cannot be read as a lesson", "Change line 3.");
  const { user } = renderApp("/plan?lesson=lessons%2Floops.md", server);
  await user.click(await screen.findByRole("button", { name: text.document.export }));
  const item = await screen.findByRole("menuitem", { name: text.document.formats.ics });
  expect(item.getAttribute("href")).toBe(address);
  await user.click(item);
  expect(await screen.findByText("Change line 3.")).toBeTruthy();
});

test("changes to a lesson are asked for in a new request", async () => {
  const { user } = renderApp("/plan?lesson=lessons%2Floops.md&session=s1", planningServer());
  await user.click(await screen.findByRole("button", { name: text.document.refine }));
  const box = await screen.findByLabelText<HTMLTextAreaElement>(text.composer.label);
  expect(box.value).toBe("In lessons/loops.md: ");
  expect(screen.getByLabelText<HTMLSelectElement>(text.composer.command).value).toBe("lesson-planning:refine-lesson");
});

test("a lesson that is deleted elsewhere says so; files that change are read again", async () => {
  const { world, server } = renderApp("/plan?lesson=lessons%2Floops.md", planningServer());
  await screen.findByRole("article", { name: "Fixed loops" });
  server.answer("GET /api/plan/files", FILES.filter(({ path }) => path !== LESSON.path)).answer("GET /api/plan/lessons", []);
  act(() => {
    world.accept();
    world.socket.receive("plan:file", { path: LESSON.path, action: "deleted" }, { seq: 1, durable: true });
  });
  expect(await screen.findByText(text.document.gone)).toBeTruthy();
  expect(await screen.findByText(text.workspace.lessonsEmpty)).toBeTruthy();
});

test("what could not be read says why and can be tried again", async () => {
  const server = planningServer()
    .fail(`GET ${LESSON_ADDRESS}`, 404, "There is no such lesson")
    .fail("GET /api/plan/files", 503, "The folder cannot be read")
    .fail("GET /api/plan/sessions?limit=7", 503, "The database is locked")
    .fail("GET /api/plan", 503, "Nothing can be read");
  const { user } = renderApp("/plan?lesson=lessons%2Floops.md", server);
  expect(await screen.findByText("There is no such lesson")).toBeTruthy();
  for (const message of ["The folder cannot be read", "The database is locked", "Nothing can be read"]) {
    expect(await screen.findByText(message)).toBeTruthy();
  }
  server.answer(`GET ${LESSON_ADDRESS}`, LESSON);
  const alert = screen.getByText("There is no such lesson").closest<HTMLElement>("[role=alert]");
  if (alert === null) throw new Error("it is no alert");
  await user.click(within(alert).getByRole("button", { name: strings.errors.retry }));
  expect(await screen.findByRole("article", { name: "Fixed loops" })).toBeTruthy();
});

const proposalsText = planStrings.proposals;
const PROPOSAL: PlanProposal = {
  key: "r1:p1",
  scope: "class",
  classId: "3B",
  path: "classes/3B/MEMORY.md",
  text: "Short starters work",
  session: "s1",
  proposedAt: "2026-03-01T10:00:00Z",
  asked: false,
};
const DECIDE = "POST /api/plan/proposals/r1%3Ap1";

test.each([
  [proposalsText.confirm, { decision: "confirmed" }, proposalsText.confirmed],
  [proposalsText.dismiss, { decision: "dismissed" }, proposalsText.dismissed],
])("what waits to be remembered is decided with: %s", async (name, body, notice) => {
  const server = planningServer().answer("GET /api/plan/proposals", [PROPOSAL]).answer(DECIDE, PROPOSAL);
  const { user } = renderApp("/plan", server);
  expect(await screen.findByText(proposalsText.class("3B"))).toBeTruthy();
  server.answer("GET /api/plan/proposals", []);
  await user.click(screen.getByRole("button", { name }));
  expect(await screen.findByText(notice)).toBeTruthy();
  await waitFor(() => {
    expect(screen.queryByText(PROPOSAL.text)).toBeNull();
  });
  expect(server.asked.find(({ method }) => method === "POST")?.body).toEqual(body);
});

test("other words are kept instead, and a refusal says why", async () => {
  const server = planningServer().answer("GET /api/plan/proposals", [{ ...PROPOSAL, classId: null, scope: "teacher" }]);
  const { user } = renderApp("/plan", server.fail(DECIDE, 403, "This names somebody", "Leave the name out."));
  await user.click(await screen.findByRole("button", { name: proposalsText.edit }));
  await user.type(screen.getByLabelText(proposalsText.words), " for Max");
  await user.click(screen.getByRole("button", { name: proposalsText.save }));
  expect((await screen.findByRole("alert")).textContent).toContain("Leave the name out.");
  expect(server.asked.find(({ method }) => method === "POST")?.body).toEqual({ decision: "edited", text: "Short starters work for Max" });
  await user.click(screen.getByRole("button", { name: proposalsText.cancel }));
  expect(screen.getByRole("button", { name: proposalsText.confirm })).toBeTruthy();
});

test("what a run asks about now is answered there", async () => {
  const { user } = renderApp("/plan", planningServer().answer("GET /api/plan/proposals", [{ ...PROPOSAL, asked: true }]));
  await user.click(await screen.findByRole("button", { name: proposalsText.toSession }));
  expect(window.location.search).toContain("session=s1");
});
