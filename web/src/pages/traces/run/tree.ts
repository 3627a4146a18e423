/**
 * The steps of a run as a tree: spans below the span they belong to, those of one turn together, and the
 * questions to people among them. Pure, and quick enough for tens of thousands.
 */

import type { TraceDetail, TraceGate } from "../../../wire/generated";
import { traceStrings } from "../strings";

export interface TreeNode {
  /** The path of the step; a turn has the path its steps begin with. */
  id: string;
  kind: string;
  name: string;
  parent: number;
  children: number[];
  /** Which of its parent's it is. */
  rank: number;
  level: number;
  /** Microseconds since the run began. */
  start: number;
  length: number;
  /** How long people took to answer, here or below. */
  waited: number;
  failed: boolean;
  tokensIn: number;
  tokensOut: number;
  cost: number;
  /** The model was asked, here or below. */
  hasCost: boolean;
  /** Something below has no known price. */
  isUnpriced: boolean;
  note: string;
  gate: TraceGate | null;
}

export interface Tree {
  nodes: TreeNode[];
  byId: ReadonlyMap<string, number>;
}

const TURN = /^((?:[^/]+\/)*?)(t\d+|end)\//;
const HOLDS_TURNS = new Set(["run", "subagent"]);

export function buildTree(detail: TraceDetail, nowUs: number): Tree {
  const nodes = spanNodes(detail);
  addGates(nodes, detail, nowUs);
  addTurns(nodes);
  link(nodes);
  addUp(nodes);
  return { nodes, byId: new Map(nodes.map(({ id }, place) => [id, place])) };
}

function spanNodes({ spans }: TraceDetail): TreeNode[] {
  return spans.steps.map((id, place) => {
    const kind = spans.kinds[place] ?? "";
    const isModel = kind === "model";
    const cost = spans.costs[place] ?? null;
    return {
      ...EMPTY,
      id,
      kind,
      name: spans.names[place] ?? "",
      parent: spans.parents[place] ?? -1,
      children: [],
      start: spans.starts[place] ?? 0,
      length: spans.lengths[place] ?? 0,
      failed: spans.failed[place] ?? false,
      tokensIn: isModel ? (spans.tokensIn[place] ?? 0) : 0,
      tokensOut: isModel ? (spans.tokensOut[place] ?? 0) : 0,
      cost: isModel ? (cost ?? 0) : 0,
      hasCost: isModel,
      isUnpriced: isModel && cost === null,
      note: spans.notes[place] ?? "",
    };
  });
}

const EMPTY = {
  rank: 0,
  level: 1,
  waited: 0,
  failed: false,
  tokensIn: 0,
  tokensOut: 0,
  cost: 0,
  hasCost: false,
  isUnpriced: false,
  note: "",
  gate: null,
} satisfies Partial<TreeNode>;

/** A question takes time as well: from when it was put until it was answered. */
function addGates(nodes: TreeNode[], { gates, startedUs }: TraceDetail, nowUs: number): void {
  const places = new Map(nodes.map(({ id }, place) => [id, place]));
  for (const gate of gates) {
    const start = Date.parse(gate.openedAt) * 1000 - startedUs;
    const end = (gate.answeredAt === null ? nowUs : Date.parse(gate.answeredAt) * 1000) - startedUs;
    const length = Math.max(end - start, 0);
    const parent = nearest(places, gate.step);
    nodes.push({ ...EMPTY, id: `${gate.step}#gate`, kind: "gate", name: gate.title, parent, children: [], start, length, waited: length, gate });
  }
}

function nearest(places: ReadonlyMap<string, number>, step: string): number {
  let at = step;
  while (at !== "") {
    at = at.slice(0, Math.max(at.lastIndexOf("/"), 0));
    const place = places.get(at);
    if (place !== undefined) return place;
  }
  return 0;
}

/** Steps right below a run or a subagent stand below the turn that they are of. */
function addTurns(nodes: TreeNode[]): void {
  const turns = new Map<string, number>();
  const count = nodes.length;
  for (let place = 1; place < count; place += 1) {
    const node = nodes[place];
    if (node === undefined || !HOLDS_TURNS.has(nodes[node.parent]?.kind ?? "")) continue;
    const found = TURN.exec(node.id);
    if (found === null) continue;
    const id = `${found[1] ?? ""}${found[2] ?? ""}`;
    let turn = turns.get(id);
    if (turn === undefined) {
      turn = nodes.push({ ...EMPTY, id, kind: "turn", name: found[2] ?? "", parent: node.parent, children: [], start: node.start, length: 0 }) - 1;
      turns.set(id, turn);
    }
    node.parent = turn;
    const group = nodes[turn];
    if (group !== undefined && node.kind !== "gate") cover(group, node);
  }
}

function cover(group: TreeNode, node: TreeNode): void {
  const end = Math.max(group.start + group.length, node.start + node.length);
  group.start = Math.min(group.start, node.start);
  group.length = end - group.start;
}

function link(nodes: TreeNode[]): void {
  for (const [place, { parent }] of nodes.entries()) nodes[parent]?.children.push(place);
  for (const { children } of nodes) {
    children.sort((a, b) => (nodes[a]?.start ?? 0) - (nodes[b]?.start ?? 0));
    for (const [rank, place] of children.entries()) {
      const child = nodes[place];
      if (child !== undefined) child.rank = rank;
    }
  }
}

/** Levels from above, sums from below. */
function addUp(nodes: TreeNode[]): void {
  const order: number[] = [];
  const waiting = [0];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    order.push(place);
    for (const child of nodes[place]?.children ?? []) {
      const node = nodes[child];
      if (node !== undefined) node.level = (nodes[place]?.level ?? 0) + 1;
      waiting.push(child);
    }
  }
  for (const place of order.reverse()) {
    const node = nodes[place];
    const parent = nodes[node?.parent ?? -1];
    if (node === undefined || parent === undefined) continue;
    parent.tokensIn += node.tokensIn;
    parent.tokensOut += node.tokensOut;
    parent.cost += node.cost;
    parent.waited += node.waited;
    parent.hasCost ||= node.hasCost;
    parent.isUnpriced ||= node.isUnpriced;
    // A turn has no outcome of its own.
    if (parent.kind === "turn") parent.failed ||= node.failed;
  }
}

// Going about in a tree of steps: what is seen, what is above, what is open. Pure.

/** The places of the nodes that are seen, from top to bottom. */
export function visibleNodes({ nodes }: Tree, open: ReadonlySet<string>): number[] {
  const seen: number[] = [];
  const waiting = [0];
  for (let place = waiting.pop(); place !== undefined; place = waiting.pop()) {
    const node = nodes[place];
    if (node === undefined) continue;
    seen.push(place);
    if (!open.has(node.id)) continue;
    for (let child = node.children.length - 1; child >= 0; child -= 1) waiting.push(node.children[child] ?? 0);
  }
  return seen;
}

/** Every node above one, the run first. */
export function above({ nodes }: Tree, place: number): string[] {
  const found: string[] = [];
  for (let at = nodes[place]?.parent ?? -1; at >= 0; at = nodes[at]?.parent ?? -1) found.unshift(nodes[at]?.id ?? "");
  return found;
}

/** What is open at first: all of a short run, else the run alone. */
export function openAtFirst({ nodes }: Tree, most = 60): Set<string> {
  return nodes.length <= most ? withChildren(nodes) : new Set([nodes[0]?.id ?? ""]);
}

export function withChildren(nodes: readonly TreeNode[]): Set<string> {
  return new Set(nodes.filter(({ children }) => children.length > 0).map(({ id }) => id));
}

/** How long a step took; a turn does not count the time in which it waited for people. */
export function tookOf({ kind, length, waited }: TreeNode): number {
  return kind === "turn" ? Math.max(length - waited, 0) : length;
}

// What the keys do in the tree, as WAI-ARIA has it. Pure: where to go, and what to open or close.

export interface Wanted {
  /** The node to go to. */
  to?: number;
  open?: string[];
  close?: string;
}

interface Place {
  tree: Tree;
  /** The nodes that are seen. */
  seen: readonly number[];
  open: ReadonlySet<string>;
  /** The chosen one. */
  at: number;
}

const PAGE = 12;

export function wantedBy(key: string, { tree, seen, open, at }: Place): Wanted | null {
  const node = tree.nodes[at];
  if (node === undefined) return null;
  const row = seen.indexOf(at);
  const last = seen.length - 1;
  const go = (to: number): Wanted => ({ to: seen[Math.min(Math.max(to, 0), last)] ?? at });
  switch (key) {
    case "ArrowDown":
      return go(row + 1);
    case "ArrowUp":
      return go(row - 1);
    case "PageDown":
      return go(row + PAGE);
    case "PageUp":
      return go(row - PAGE);
    case "Home":
      return go(0);
    case "End":
      return go(last);
    case "ArrowRight":
      if (node.children.length === 0) return {};
      return open.has(node.id) ? { to: node.children[0] ?? at } : { open: [node.id] };
    case "ArrowLeft":
      if (node.children.length > 0 && open.has(node.id)) return { close: node.id };
      return node.parent >= 0 ? { to: node.parent } : {};
    case "*":
      return { open: siblings(tree, node) };
    default:
      return null;
  }
}

/** The next seen node whose name begins with some letters, from the chosen one on and round again. */
export function startingWith(letters: string, { tree, seen, at }: Pick<Place, "tree" | "seen" | "at">, nameOf: (node: TreeNode) => string): number | null {
  const row = seen.indexOf(at);
  // More letters may still mean the one they are at; another first letter goes on from it.
  const from = letters.length > 1 ? row : row + 1;
  const wanted = letters.toLocaleLowerCase();
  for (let step = 0; step < seen.length; step += 1) {
    const place = seen[(from + step) % seen.length] ?? 0;
    const node = tree.nodes[place];
    if (node !== undefined && nameOf(node).toLocaleLowerCase().startsWith(wanted)) return place;
  }
  return null;
}

function siblings({ nodes }: Tree, { parent, id }: TreeNode): string[] {
  const beside = nodes[parent]?.children ?? [];
  const ids = beside.flatMap((place) => ((nodes[place]?.children.length ?? 0) > 0 ? [nodes[place]?.id ?? ""] : []));
  return ids.length === 0 ? [id] : ids;
}

// Where moments lie on the waterfall, with or without the time in which nothing ran. Pure.

interface Gap {
  /** Where it lies, from 0 to 1 of the whole width, and how wide it is drawn. */
  at: number;
  width: number;
  /** How long it was. */
  length: number;
}

export interface Timeline {
  /** The place of a moment, from 0 to 1. */
  at: (us: number) => number;
  gaps: readonly Gap[];
  /** How much time the whole width stands for, gaps left out. */
  length: number;
}

interface Interval {
  start: number;
  end: number;
}

const WORK = new Set(["model", "tool", "hook"]);
const LEAST_GAP = 1_000_000;
/** A gap counts from this share of the time in which something ran; that is also how wide it is drawn. */
const SHARE = 0.04;
const MOST_GAPS = 12;

/** The longest times in which nothing ran, in their order. */
export function idleTimes(nodes: readonly TreeNode[]): Interval[] {
  const busy = busyTimes(nodes);
  const worked = busy.reduce((sum, { start, end }) => sum + end - start, 0);
  const least = Math.max(LEAST_GAP, worked * SHARE);
  const bounds = [...busy.map(({ start, end }) => ({ start, end })), { start: lastEnd(nodes), end: 0 }];
  let before = 0;
  const idle: Interval[] = [];
  for (const { start, end } of bounds) {
    if (start - before >= least) idle.push({ start: before, end: start });
    before = Math.max(before, end);
  }
  const longest = [...idle].sort((a, b) => b.end - b.start - (a.end - a.start)).slice(0, MOST_GAPS);
  return idle.filter((each) => longest.includes(each));
}

export function makeTimeline(nodes: readonly TreeNode[], isPacked: boolean): Timeline {
  const total = Math.max(lastEnd(nodes), 1);
  const idle = isPacked ? idleTimes(nodes) : [];
  const left = idle.reduce((sum, { start, end }) => sum + end - start, 0);
  const gap = (total - left) * SHARE || 1;
  const width = total - left + gap * idle.length;
  const packed = (us: number): number => {
    let shift = 0;
    for (const { start, end } of idle) {
      if (us <= start) break;
      shift += us >= end ? end - start - gap : (us - start) * (1 - gap / (end - start));
    }
    return Math.min(Math.max((us - shift) / width, 0), 1);
  };
  return {
    at: packed,
    gaps: idle.map(({ start, end }) => ({ at: packed(start), width: gap / width, length: end - start })),
    length: total - left,
  };
}

/** Only a part of it, as wide as all of it. */
export function closer(whole: Timeline, { start, length }: { start: number; length: number }): Timeline {
  const [from, to] = [whole.at(start), whole.at(start + length)];
  const share = Math.max(to - from, 1e-9);
  const into = (place: number): number => Math.min(Math.max((place - from) / share, 0), 1);
  return {
    at: (us) => into(whole.at(us)),
    gaps: whole.gaps
      .filter(({ at, width }) => at + width > from && at < to)
      .map((gap) => ({ at: into(gap.at), width: into(gap.at + gap.width) - into(gap.at), length: gap.length })),
    length,
  };
}

function busyTimes(nodes: readonly TreeNode[]): Interval[] {
  const times = nodes
    .filter(({ kind }) => WORK.has(kind))
    .map(({ start, length }) => ({ start, end: start + length }))
    .sort((a, b) => a.start - b.start);
  const merged: Interval[] = [];
  for (const each of times) {
    const last = merged.at(-1);
    if (last !== undefined && each.start <= last.end) last.end = Math.max(last.end, each.end);
    else merged.push({ ...each });
  }
  return merged;
}

function lastEnd(nodes: readonly TreeNode[]): number {
  return nodes.reduce((last, { start, length }) => Math.max(last, start + length), 0);
}

/** What a step is called. */
export function nameOf({ kind, name }: Pick<TreeNode, "kind" | "name">): string {
  if (kind !== "turn") return name;
  return name === "end" ? traceStrings.tree.lastTurn : traceStrings.tree.turn(name.slice(1));
}
