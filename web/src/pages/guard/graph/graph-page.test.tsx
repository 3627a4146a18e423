import "../graph";

import { screen, waitFor, within } from "@testing-library/react";
import { expect, test } from "vitest";

import { renderApp } from "../../../testing/render-app";
import { AROUND, GRAPH, learningServer, node, TRACE, TRACES } from "../testing/samples";
import { layOutAround, MOST_ROWS, towards } from "./around-map";
import { graphStrings as text } from "./strings";

const ONE = "/guard/graph?id=trace-1";

test("traces are listed as text, with who made them and by which rule", async () => {
  renderApp("/guard/graph", learningServer());
  const row = await screen.findByRole("link", { name: /Marked <b>tested<\/b> without evidence/ });
  expect(row.textContent).toContain("coding-agent");
  expect(row.textContent).toContain(text.types.violation);
  expect(document.querySelector("main b")).toBeNull();
  expect(document.title).toBe("Graph · Paige");
  expect(screen.getByRole("link", { name: "Graph" }).getAttribute("aria-current")).toBe("page");
});

test("before there is a trace it says which commands begin it", async () => {
  renderApp("/guard/graph", learningServer().answer("GET /api/graph", { ...GRAPH, total: 0 }));
  expect(await screen.findByText("paige install claude-code")).toBeTruthy();
});

test("filters and words go into the address and into the question, and can be taken away", async () => {
  const nothing = { traces: [], total: 0, level: "summary", tokens: 0, leftOff: 0 };
  const server = learningServer()
    .answer(`${TRACES}&type=correction`, nothing)
    .answer(`${TRACES}&type=correction&query=empty`, nothing);
  const { user } = renderApp("/guard/graph", server);
  await user.click(await screen.findByRole("button", { name: text.list.chip(text.types.correction, 1) }));
  await user.type(screen.getByLabelText(text.list.search), "empty");
  await waitFor(() => {
    expect(window.location.search).toBe("?type=correction&query=empty");
  });
  await user.click(await screen.findByRole("button", { name: text.list.takeAway }));
  expect(await screen.findByRole("link", { name: /without evidence/ })).toBeTruthy();
});

test("a trace opens with what is right and why, and coming back goes on at its row", async () => {
  const { user } = renderApp("/guard/graph", learningServer());
  await user.click(await screen.findByRole("link", { name: /without evidence/ }));
  const heading = await screen.findByRole("heading", { level: 2, name: /Marked/ });
  expect(document.activeElement).toBe(heading);
  expect(screen.getByText("Let the tester run")).toBeTruthy();
  await user.click(screen.getByRole("link", { name: text.one.back }));
  const row = await screen.findByRole("link", { name: /without evidence/ });
  expect(document.activeElement).toBe(row);
});

test("the drawing is walked with arrow keys, and Enter opens what is there", async () => {
  const other = { ...AROUND, trace: { ...TRACE, id: "trace-2", event: { ...TRACE.event, whatHappened: "The second" } } };
  const { user } = renderApp(ONE, learningServer().answer("GET /api/graph/traces/trace-2/around?depth=3&most=2000", other));
  const drawing = await screen.findByRole("group", { name: text.around.name });
  const here = within(drawing).getByRole("button", { current: true });
  here.focus();
  await user.keyboard("{ArrowLeft}");
  expect(document.activeElement?.getAttribute("aria-label")).toContain("coding-agent");
  await user.keyboard("{ArrowDown}");
  expect(document.activeElement?.getAttribute("aria-label")).toContain("Chose to skip tests");
  await user.keyboard("{Home}{ArrowRight}{Enter}");
  expect(await screen.findByRole("heading", { level: 2, name: "The second" })).toBeTruthy();
  expect(window.location.search).toBe("?id=trace-2");
});

test("a thing that is no trace leads to the traces about it", async () => {
  const about = "GET /api/graph/traces?limit=40&agent=coding-agent";
  const server = learningServer().answer(about, { traces: [TRACE], total: 1, level: "summary", tokens: 1, leftOff: 0 });
  const { user } = renderApp(ONE, server);
  await user.click(await screen.findByRole("button", { name: "Agent: coding-agent" }));
  expect(await screen.findByRole("link", { name: /without evidence/ })).toBeTruthy();
  expect(window.location.search).toBe("?agent=coding-agent");
});

test("every line stands in a table too", async () => {
  const { user } = renderApp(ONE, learningServer());
  await user.click(await screen.findByText(/As a table/));
  const table = await screen.findByRole("table");
  expect(within(table).getAllByRole("row")).toHaveLength(1 + AROUND.edges.length);
  expect(table.textContent).toContain(text.relations.led_to);
});

test("of two thousand things only those in sight are drawn", async () => {
  const many = Array.from({ length: 2000 }, (_, place) => node(`decision:n${place}`, 1));
  const edges = many.map(({ key }) => ({ source: "decision:trace-1", relation: "led_to" as const, target: key }));
  const around = { ...AROUND, nodes: [node("decision:trace-1", 0, { type: "violation" }), ...many], edges, leftOut: 12 };
  renderApp(ONE, learningServer().answer("GET /api/graph/traces/trace-1/around?depth=3&most=2000", around));
  const drawing = await screen.findByRole("group", { name: text.around.name });
  expect(drawing.querySelectorAll("[data-node]").length).toBeLessThan(600);
  expect(drawing.querySelectorAll("[data-lines] > path").length).toBeLessThan(10);
  expect(screen.getByText(text.around.alongside(2001, 12))).toBeTruthy();
});

test("a trace that is not there says so", async () => {
  const path = "GET /api/graph/traces/gone/around?depth=3&most=2000";
  renderApp("/guard/graph?id=gone", learningServer().fail(path, 404, "There is no trace `gone`"));
  expect((await screen.findByRole("alert")).textContent).toContain("There is no trace gone");
});

const edge = (source: string, target: string) => ({ source, relation: "led_to" as const, target });

test("what led to the trace lies left of it, what came of it right", () => {
  const layout = layOutAround({ nodes: [node("b", 0), node("c", 1), node("a", -1)], edges: [edge("a", "b"), edge("b", "c")] }, 900);
  const x = (key: string): number => layout.places.get(key)?.x ?? NaN;
  expect(x("a")).toBeLessThan(x("b"));
  expect(x("b")).toBeLessThan(x("c"));
  expect(layout.lines).toHaveLength(2);
  expect(layout.width).toBeLessThanOrEqual(900);
});

test("no two things cover each other, and every one has a place", () => {
  const nodes = [node("root", 0), ...Array.from({ length: 500 }, (_, place) => node(`n${place}`, place % 3 === 0 ? -1 : 1 + (place % 2)))];
  const layout = layOutAround({ nodes, edges: nodes.slice(1).map(({ key }) => edge("root", key)) }, 800);
  expect(layout.places.size).toBe(nodes.length);
  const spots = new Set([...layout.places.values()].map(({ x, y }) => `${x} ${y}`));
  expect(spots.size).toBe(nodes.length);
});

test("few things have names in their column, many are dots", () => {
  const few = Array.from({ length: MOST_ROWS }, (_, place) => node(`a${place}`, -1));
  const many = Array.from({ length: MOST_ROWS + 1 }, (_, place) => node(`b${place}`, 1));
  const layout = layOutAround({ nodes: [...few, node("root", 0), ...many], edges: [] }, 900);
  expect(layout.places.get("a0")?.isDot).toBe(false);
  expect(layout.places.get("b0")?.isDot).toBe(true);
});

test("a line to something that was left out is not drawn", () => {
  expect(layOutAround({ nodes: [node("a", 0)], edges: [edge("a", "gone")] }, 600).lines).toEqual([]);
});

test("sideways keys follow a line rather than the nearest thing", () => {
  const nodes = [node("root", 0), node("a", 1), node("b", 1), node("c", 2), node("d", 2)];
  const layout = layOutAround({ nodes, edges: [edge("root", "a"), edge("root", "b"), edge("a", "d"), edge("b", "c")] }, 900);
  expect(towards("ArrowRight", "a", layout)).toBe("d");
  expect(towards("ArrowRight", "b", layout)).toBe("c");
  expect(towards("ArrowLeft", "d", layout)).toBe("a");
  expect(towards("ArrowLeft", "root", layout)).toBeNull();
  expect(towards("Home", "d", layout)).toBe("root");
});
