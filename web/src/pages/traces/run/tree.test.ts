import { expect, test } from "vitest";

import { DETAIL, longDetail } from "../testing/samples";
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
} from "./tree";

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
