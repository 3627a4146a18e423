import "./memory-page";

import { act, screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { strings } from "../../strings";
import { renderApp } from "../../testing/render-app";
import { ITEM, OVERVIEW, POLICIES, RECENT, rememberingServer, RESULT, SEARCH, searchingServer } from "./testing/samples";

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
