/**
 * The steps of a run as a tree: spans below the span they belong to, those of one turn together, and the
 * questions to people among them. Pure, and quick enough for tens of thousands.
 */

import type { TraceDetail, TraceGate } from "../../../wire/generated";

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
