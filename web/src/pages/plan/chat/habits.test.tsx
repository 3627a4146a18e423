import { screen, within } from "@testing-library/react";
import { afterEach, beforeEach, expect, test } from "vitest";

import { renderApp } from "../../../testing/render-app";
import type { PlanRun, PlanTranscript } from "../../../wire/generated";
import { planStrings } from "../strings";
import { DRAFT, planningServer, RUN, SESSION, sessionServer, transcript } from "../testing/samples";
import { cleanUp, makeWide } from "../testing/set-up";
import { completeIn, restOf } from "./announcer";
import { findIn, firstHit, plainWords } from "./find";
import { rangesIn } from "./find-bar";

const text = planStrings.branches;
const OTHER: PlanRun = { ...RUN, id: "r9", session: "s9", prompt: "Selection for 3B" };
const BRANCHES = {
  r1: [
    { session: "s1", run: "r1" },
    { session: "s9", run: "r9" },
  ],
};

beforeEach(makeWide);
afterEach(cleanUp);

function branched(run: PlanRun, session: string): PlanTranscript {
  const branches = { [run.id]: BRANCHES.r1 };
  return { ...transcript(run, { id: session }), branches };
}

test("a request is said differently in a branch, and the old one is one step away", async () => {
  const server = sessionServer(branched(RUN, "s1"))
    .answer("GET /api/plan/sessions/s9", branched(OTHER, "s9"))
    .answer("POST /api/plan/runs/r1/branch", { session: "s9", run: "r9" });
  const { user } = renderApp("/plan?session=s1", server);
  await user.click(await screen.findByRole("button", { name: text.edit }));
  const box = screen.getByLabelText<HTMLTextAreaElement>(text.editLabel);
  expect(box.value).toBe(RUN.prompt);
  await user.clear(box);
  await user.type(box, "Selection for 3B{Enter}");
  await screen.findByRole("article", { name: "Selection for 3B" });
  expect(server.asked.find(({ method }) => method === "POST")?.body).toEqual({ input: "Selection for 3B" });
  const group = screen.getByRole("group", { name: text.group });
  expect(group.textContent).toBe(text.count(2, 2));
  within(group).getByRole("button", { name: text.previous }).focus();
  await user.keyboard("{ArrowRight}{ArrowLeft}");
  expect(await screen.findByRole("article", { name: RUN.prompt })).toBeTruthy();
});

test("what cannot be asked again stays, with the reason", async () => {
  const server = sessionServer(transcript({}))
    .fail("POST /api/plan/runs/r1/branch", 503, "Nobody can answer");
  const { user } = renderApp("/plan?session=s1", server);
  await user.click(await screen.findByRole("button", { name: text.askAgain }));
  expect((await screen.findAllByText(/Nobody can answer/)).length).toBeGreaterThan(0);
  await user.click(screen.getByRole("button", { name: text.edit }));
  await user.type(screen.getByLabelText(text.editLabel), " please{Enter}");
  expect((await screen.findByRole("alert")).textContent).toContain("Nobody can answer");
  expect(screen.getByLabelText<HTMLTextAreaElement>(text.editLabel).value).toBe(`${RUN.prompt} please`);
  await user.keyboard("{Escape}");
  expect(screen.queryByLabelText(text.editLabel)).toBeNull();
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
