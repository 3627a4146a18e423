import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";

import type { FakeServer } from "../../testing/fake-server";
import { goodServer, renderApp } from "../../testing/render-app";
import { costsAsCsv, daysByModel, moneyTicks, OTHERS, sumsBy, total } from "./costs";
import { between, showCost, showMoney, showTime } from "./marks";
import {
  above,
  buildTree,
  closer,
  idleTimes,
  makeTimeline,
  openAtFirst,
  startingWith,
  tookOf,
  visibleNodes,
  wantedBy,
  withChildren,
} from "./run/tree";
import { costRow, DETAIL, longDetail, momentOf, RUN } from "./testing/samples";

const tree = buildTree(DETAIL, 0);
const all = withChildren(tree.nodes);
const shown = (open: ReadonlySet<string>): string[] =>
  visibleNodes(tree, open).map((place) => `${" ".repeat((tree.nodes[place]?.level ?? 1) - 1)}${tree.nodes[place]?.id ?? ""}`);
const place = (id: string): number => tree.byId.get(id) ?? -1;

test("steps stand below their turn, their tool and their subagent, questions among them", () => {
  expect(shown(all)).toEqual([
    "",
    " t1",
    "  t1/model",
    "  t1/tool/c1",
    "   t1/tool/c1/hook/pre_tool/guard",
    "   sub/c1",
    "    sub/c1/t1",
    "     sub/c1/t1/model",
    "  t1/hook/post_loop/show/1#gate",
    " t2",
    "  t2/model",
    "  t2/tool/c2",
  ]);
  expect(shown(new Set([""]))).toEqual(["", " t1", " t2"]);
});

test("tokens and cost are added up from below, and an unknown price is not lost", () => {
  const turn = tree.nodes[place("t1")];
  expect([turn?.tokensIn, turn?.cost, turn?.isUnpriced]).toEqual([200, 0.01, true]);
  expect(tree.nodes[0]?.tokensIn).toBe(300);
  expect(tree.nodes[place("t2")]?.isUnpriced).toBe(false);
});

test("a turn is as long as its work, not as long as people took to answer", () => {
  const turn = tree.nodes[place("t1")];
  expect([turn?.start, turn?.length, turn?.waited]).toEqual([0, 5_000_000, 12_000_000]);
  const resumed = tree.nodes.map((node) => (node.id === "t1" ? { ...node, length: 17_500_000 } : node))[place("t1")];
  expect(resumed === undefined ? null : tookOf(resumed)).toBe(5_500_000);
  expect(tree.nodes[place("t2")]?.failed).toBe(true);
  expect(tree.nodes[0]?.failed).toBe(false);
});

test("time in which nothing ran is left out, and what is left keeps its order", () => {
  expect(idleTimes(tree.nodes)).toEqual([{ start: 5_000_000, end: 17_000_000 }]);
  const whole = makeTimeline(tree.nodes, false);
  const packed = makeTimeline(tree.nodes, true);
  expect(whole.at(5_000_000)).toBeCloseTo(0.25);
  expect(packed.at(5_000_000)).toBeGreaterThan(0.55);
  expect(packed.gaps.map(({ length }) => length)).toEqual([12_000_000]);
  const places = [0, 4, 5, 6, 16, 17, 18, 20].map((second) => packed.at(second * 1_000_000));
  expect(places).toEqual([...places].sort((a, b) => a - b));
  expect([packed.at(-5), packed.at(0), packed.at(20_000_000), packed.at(90_000_000)]).toEqual([0, 0, 1, 1]);
});

test("a closer look fills the width with one step", () => {
  const near = closer(makeTimeline(tree.nodes, true), { start: 17_000_000, length: 2_000_000 });
  expect([near.at(17_000_000), near.at(18_000_000), near.at(19_000_000)].map((at) => Math.round(at * 100))).toEqual([0, 50, 100]);
  expect(near.gaps).toEqual([]);
});

test("arrow keys move, open and close as in any tree", () => {
  const open = new Set([""]);
  const at = (id: string, opened: ReadonlySet<string> = open): Parameters<typeof wantedBy>[1] => ({
    tree,
    seen: visibleNodes(tree, opened),
    open: opened,
    at: place(id),
  });
  expect(wantedBy("ArrowDown", at(""))).toEqual({ to: place("t1") });
  expect(wantedBy("ArrowRight", at("t1"))).toEqual({ open: ["t1"] });
  expect(wantedBy("ArrowRight", at("t1", all))).toEqual({ to: place("t1/model") });
  expect(wantedBy("ArrowRight", at("t1/model", all))).toEqual({});
  expect(wantedBy("ArrowLeft", at("t1", all))).toEqual({ close: "t1" });
  expect(wantedBy("ArrowLeft", at("t1/model", all))).toEqual({ to: place("t1") });
  expect(wantedBy("End", at(""))).toEqual({ to: place("t2") });
  expect(wantedBy("Home", at("t2"))).toEqual({ to: 0 });
  expect(wantedBy("ArrowUp", at(""))).toEqual({ to: 0 });
  expect(wantedBy("*", at("t1"))).toEqual({ open: ["t1", "t2"] });
  expect(wantedBy("x", at("t1"))).toBeNull();
});

test("letters jump to the next name that begins with them, and round again", () => {
  const seen = visibleNodes(tree, all);
  const name = (node: { name: string }): string => node.name;
  expect(startingWith("s", { tree, seen, at: 0 }, name)).toBe(place("t1/tool/c1"));
  expect(startingWith("s", { tree, seen, at: place("t1/tool/c1") }, name)).toBe(place("t2/tool/c2"));
  expect(startingWith("sp", { tree, seen, at: place("t2/tool/c2") }, name)).toBe(place("t1/tool/c1"));
  expect(startingWith("nobody", { tree, seen, at: 0 }, name)).toBeNull();
});

test("ten thousand steps begin with their turns, and each knows what is above it", () => {
  const long = buildTree(longDetail(1000), 0);
  expect(long.nodes).toHaveLength(11_001);
  expect(visibleNodes(long, openAtFirst(long))).toHaveLength(1001);
  expect(visibleNodes(long, withChildren(long.nodes))).toHaveLength(11_001);
  expect(above(long, long.byId.get("t7/model") ?? 0)).toEqual(["", "t7"]);
});

const zone = encodeURIComponent(new Intl.DateTimeFormat().resolvedOptions().timeZone);

// The pages are fetched late; here that must not count as waiting.
beforeAll(() => Promise.all([import("./list"), import("./run"), import("./costs")]));

beforeEach(() => {
  // Nothing is drawn here: the rows in sight are those of a window of this height.
  vi.spyOn(HTMLElement.prototype, "clientHeight", "get").mockReturnValue(600);
});

function server(): FakeServer {
  return goodServer()
    .answer("GET /api/traces", { runs: [RUN, { ...RUN, id: "run-2", title: "Second", status: "error_max_turns" }], next: null, doors: ["plan", "coach"] })
    .answer("GET /api/traces/run-1", DETAIL)
    .answer("GET /api/traces/run-1/span", { step: "", kind: "run", name: "planner", failed: false, startedAt: RUN.createdAt, lengthUs: 1, attributes: { status: "success" } });
}

test("the list says what was asked, how it ended, and what it cost", async () => {
  renderApp("/traces", server());

  const first = await screen.findByRole("link", { name: /Plan a lesson on fractions/ });
  expect(first.getAttribute("href")).toBe("/traces/run-1");
  expect(first.textContent).toContain("Done");
  expect(first.textContent).toContain("20.0 s");
  expect(screen.getByRole("link", { name: /Second/ }).textContent).toContain("Too many turns");
  expect(screen.getByLabelText("Door")).toBeTruthy();
});

test("where nothing ran the page teaches how something will", async () => {
  renderApp("/traces", goodServer().answer("GET /api/traces", { runs: [], next: null, doors: [] }));

  expect(await screen.findByRole("heading", { name: "Nothing has run yet." })).toBeTruthy();
});

test("a filter goes into the question, and nothing found offers a way out", async () => {
  const given = server().answer("GET /api/traces?status=failed", { runs: [], next: null, doors: ["plan"] });
  const { user } = renderApp("/traces", given);

  await user.click(await screen.findByRole("button", { name: "Failed" }));

  expect((await screen.findAllByText("No run fits.")).length).toBeGreaterThan(0);
  await user.click(screen.getByRole("button", { name: "Take the filters away" }));
  expect(await screen.findByRole("link", { name: /Second/ })).toBeTruthy();
});

test("the tree is walked by keys, and the chosen step is told in full", async () => {
  const given = server().answer("GET /api/traces/run-1/span?step=t1%2Fmodel", {
    step: "t1/model",
    kind: "model",
    name: "claude",
    failed: false,
    startedAt: RUN.createdAt,
    lengthUs: 2_000_000,
    attributes: { input_tokens: 100, output_tokens: 10, stop_reason: "tool_use", summary: { turn: 0 } },
  });
  const { user } = renderApp("/traces/run-1", given);
  const tree = await screen.findByRole("tree", { name: "Steps of the run" });
  const chosen = (): string => document.getElementById(tree.getAttribute("aria-activedescendant") ?? "")?.textContent ?? "";

  act(() => {
    tree.focus();
  });
  await user.keyboard("{ArrowDown}{ArrowDown}");

  expect(chosen()).toContain("claude");
  const panel = screen.getByRole("region", { name: "The chosen step" });
  expect(await within(panel).findByText("tool_use")).toBeTruthy();
  await user.keyboard("{ArrowLeft}{ArrowLeft}");
  expect(within(tree).queryByText("spawn_subagent")).toBeNull();
  await user.keyboard("{End}");
  expect(chosen()).toContain("save");
  await user.keyboard("tur");
  expect(chosen()).toContain("Turn 1");
});

test("a run is stepped through with the keys, and the place is said", async () => {
  const moments = [
    momentOf(0, { called: [{ call: "c1", name: "read_file", input: "{}" }] }),
    momentOf(1, { kind: "gate", name: "", step: "t1/hook/x/1", said: null, gate: DETAIL.gates[0] ?? null }),
    momentOf(2, { read: [{ who: "tool", name: "read_file", text: "It says so", failed: false, leftOut: 0 }] }),
  ];
  const given = server().answer("GET /api/traces/run-1/moments?first=0&limit=20", { moments, first: 0, total: 3 });
  const { user } = renderApp("/traces/run-1?tab=steps", given);

  const slider = await screen.findByRole("slider", { name: "Step of the run" });
  expect(screen.getByText("Answer 0")).toBeTruthy();
  act(() => {
    slider.focus();
  });
  await user.keyboard("{ArrowRight}");
  expect(await screen.findByText("Is this right?")).toBeTruthy();
  expect(screen.getByText("Step 2 of 3")).toBeTruthy();
  await user.click(screen.getByRole("button", { name: "To the last step" }));
  expect(await screen.findByText("It says so")).toBeTruthy();
  expect(slider.getAttribute("aria-valuetext")).toContain("Step 3 of 3");
});

test("an entry of the journal is opened, and its rest is fetched when somebody wants it", async () => {
  const entry = { seq: 1, step: "t1/model", kind: "result", body: '{"answer":', leftOut: 5 };
  const given = server()
    .answer("GET /api/traces/run-1/journal?after=0&limit=100", { entries: [entry], total: 1 })
    .answer("GET /api/traces/run-1/journal/1", { ...entry, body: '{"answer":"yes"}', leftOut: 0 });
  const { user } = renderApp("/traces/run-1?tab=journal", given);

  await user.click(await screen.findByText("Show"));
  await user.click(await screen.findByRole("button", { name: /5 characters/ }));

  await waitFor(() => {
    expect(screen.getByText(/"yes"/)).toBeTruthy();
  });
});

test("costs are summed, and calls without a price are named", async () => {
  const rows = [costRow("2026-03-01", "sonnet", 0.5), costRow("2026-03-02", "ours", 0, { unpriced: 1, door: "study" })];
  const given = server().answer(`GET /api/costs?days=30&zone=${zone}`, { days: ["2026-03-01", "2026-03-02"], rows });
  renderApp("/costs", given);

  expect(await screen.findByText(/not known \(ours\)/)).toBeTruthy();
  expect(screen.getByRole("img", { name: /Cost by day and model/ })).toBeTruthy();
  expect(screen.getByRole("table", { name: "Cost by door" }).textContent).toContain("Study");
  expect(screen.getByRole("button", { name: "Save as CSV" })).toBeTruthy();
});

test("a run that does not exist is said, with a way to try again", async () => {
  renderApp("/traces/none", goodServer().fail("GET /api/traces/none", 404, "There is no run `none`"));

  expect(await screen.findByRole("alert")).toBeTruthy();
});

test.each([
  [-5, "0 µs"],
  [999, "999 µs"],
  [1_500, "2 ms"],
  [2_500_000, "2.5 s"],
  [61_000_000, "1 min 1 s"],
  [7_260_000_000, "2 h 1 min"],
  [7 * 86_400_000_000, "7 d 0 h"],
])("%i microseconds are %s", (us, shown) => {
  expect(showTime(us)).toBe(shown);
});

test("a small sum keeps digits that mean something", () => {
  expect([0, 12.5, 0.0081, 0.000042].map(showMoney)).toEqual(["$0.00", "$12.50", "$0.0081", "$0.000042"]);
});

test("what nobody knows is not called nothing", () => {
  expect(showCost(null)).toBe("price unknown");
  expect(showCost(0)).toBe("$0.00");
  expect(showCost(0, true)).toBe("price unknown");
  expect(showCost(0.5, true)).toBe("over $0.50");
});

test("a clock that was put back does not make time negative", () => {
  expect(between("2026-03-02T12:00:01Z", "2026-03-02T12:00:00Z")).toBe(0);
  expect(between("2026-03-02T12:00:00Z", "2026-03-02T12:00:01.5Z")).toBe(1_500_000);
});

const ROWS = [
  costRow("2026-03-01", "sonnet", 0.5, { calls: 3, failed: 1 }),
  costRow("2026-03-02", "haiku", 0.1),
  costRow("2026-03-02", "sonnet", 0.2, { door: "coach" }),
  costRow("2026-03-02", "ours", 0, { unpriced: 1 }),
];

test("the dearest comes first, what has no price last and counted apart", () => {
  expect(sumsBy(ROWS, ({ model }) => model).map(({ key, costUsd, calls, unpriced }) => [key, costUsd, calls, unpriced])).toEqual([
    ["sonnet", 0.7, 4, 0],
    ["haiku", 0.1, 1, 0],
    ["ours", 0, 1, 1],
  ]);
  expect(total(ROWS)).toMatchObject({ calls: 6, failed: 1, unpriced: 1, tokensIn: 420, tokensOut: 40 });
  expect(total([])).toMatchObject({ calls: 0, costUsd: 0 });
});

test("every day has its models, and from too many on they are taken together", () => {
  const days = ["2026-02-28", "2026-03-01", "2026-03-02"];
  expect(daysByModel({ days, rows: ROWS }, 7)).toEqual({
    models: ["sonnet", "haiku"],
    days: [
      { day: "2026-02-28", values: {} },
      { day: "2026-03-01", values: { sonnet: 0.5 } },
      { day: "2026-03-02", values: { haiku: 0.1, sonnet: 0.2 } },
    ],
  });
  expect(daysByModel({ days, rows: ROWS }, 1)).toMatchObject({ models: [OTHERS] });
});

test.each([0, 0.00004, 0.013, 0.7, 3, 4999])("the ticks up to %f reach it and are few", (most) => {
  const ticks = moneyTicks(most);
  expect(ticks.at(-1)).toBeGreaterThanOrEqual(most - 1e-9);
  expect(ticks.length).toBeLessThanOrEqual(5);
});

test("a table for spreadsheets has every row, and no cell is taken for a formula", () => {
  const csv = costsAsCsv([costRow("2026-03-01", '=cmd("x"),y', 0.25)]);
  const [head, row, rest] = csv.split("\r\n");
  expect(head).toMatch(/^day,provider,model,door,purpose,calls,failed,calls_without_price,cost_usd,/);
  expect(row).toContain(`"'=cmd(""x""),y"`);
  expect(row).toContain(",0.25,");
  expect(rest).toBe("");
});
