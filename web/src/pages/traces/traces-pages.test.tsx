import { act, screen, waitFor, within } from "@testing-library/react";
import { beforeAll, beforeEach, expect, test, vi } from "vitest";

import type { FakeServer } from "../../testing/fake-server";
import { goodServer, renderApp } from "../../testing/render-app";
import { costRow, DETAIL, momentOf, RUN } from "./testing/samples";

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
