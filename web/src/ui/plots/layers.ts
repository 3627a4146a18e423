/** Which row of a map something is in: below everything it needs, and in an order with few crossings. */

export interface GraphNode {
  id: string;
  /** What has to come before it. */
  needs: readonly string[];
}

/** A place in a row: a node, or where a line passes on its way to a row further down. */
export interface Slot {
  id: string;
  isLine: boolean;
}

export interface Step {
  from: string;
  to: string;
}

export interface Layers {
  rows: Slot[][];
  /** Steps from a row to the next one; a long line has several. */
  steps: Step[];
  /** The lines as they are drawn: the slots each passes, from what is needed to what needs it. */
  lines: string[][];
}

const SWEEPS = 8;

/** `most` is how many nodes fit beside each other; a row with more of them goes on in another one. */
export function layersOf(nodes: readonly GraphNode[], most: number): Layers {
  const needs = cleared(nodes);
  const depth = depthsOf(nodes, needs);
  const row = rowsOf(nodes, depth, Math.max(most, 1));
  const rows: Slot[][] = Array.from({ length: Math.max(-1, ...row.values()) + 1 }, () => []);
  for (const { id } of nodes) rows[row.get(id) ?? 0]?.push({ id, isLine: false });
  const lines = withoutImplied(nodes, needs).map(({ from, to }) => routed(from, to, row, rows));
  const steps = lines.flatMap((line) => line.slice(1).map((to, place) => ({ from: line[place] ?? to, to })));
  return { rows: untangled(rows, steps), steps, lines };
}

/** What each node needs among the nodes that are there; a circle is cut where it would close. */
function cleared(nodes: readonly GraphNode[]): Map<string, string[]> {
  const given = new Map(nodes.map(({ id, needs }) => [id, needs]));
  const made = new Map<string, string[]>();
  const open = new Set<string>();
  const visit = (id: string): void => {
    if (made.has(id)) return;
    open.add(id);
    const kept = [...new Set(given.get(id) ?? [])].filter((need) => given.has(need) && !open.has(need));
    for (const need of kept) visit(need);
    open.delete(id);
    made.set(id, kept);
  };
  for (const { id } of nodes) visit(id);
  return made;
}

function depthsOf(nodes: readonly GraphNode[], needs: ReadonlyMap<string, string[]>): Map<string, number> {
  const found = new Map<string, number>();
  const depth = (id: string): number => {
    const known = found.get(id);
    if (known !== undefined) return known;
    const made = Math.max(-1, ...(needs.get(id) ?? []).map(depth)) + 1;
    found.set(id, made);
    return made;
  };
  for (const { id } of nodes) depth(id);
  return found;
}

function rowsOf(nodes: readonly GraphNode[], depth: ReadonlyMap<string, number>, most: number): Map<string, number> {
  const deepest = Math.max(-1, ...depth.values());
  const made = new Map<string, number>();
  let row = 0;
  for (let level = 0; level <= deepest; level += 1) {
    const there = nodes.filter(({ id }) => depth.get(id) === level);
    const parts = Math.max(Math.ceil(there.length / most), 1);
    const each = Math.ceil(there.length / parts);
    there.forEach(({ id }, place) => made.set(id, row + Math.floor(place / each)));
    row += parts;
  }
  return made;
}

/** The lines worth drawing: one that a longer way says already is left out. */
function withoutImplied(nodes: readonly GraphNode[], needs: ReadonlyMap<string, string[]>): Step[] {
  const reached = new Map<string, Set<string>>();
  const before = (id: string): Set<string> => {
    const known = reached.get(id);
    if (known !== undefined) return known;
    const direct = needs.get(id) ?? [];
    const all = new Set(direct.flatMap((need) => [need, ...before(need)]));
    reached.set(id, all);
    return all;
  };
  return nodes.flatMap(({ id }) => {
    const direct = needs.get(id) ?? [];
    const kept = direct.filter((need) => !direct.some((other) => other !== need && before(other).has(need)));
    return kept.map((from) => ({ from, to: id }));
  });
}

/** The slots that a line passes; those in the rows between are made here. */
function routed(from: string, to: string, row: ReadonlyMap<string, number>, rows: Slot[][]): string[] {
  const made = [from];
  for (let at = (row.get(from) ?? 0) + 1; at < (row.get(to) ?? 0); at += 1) {
    const id = `${from}→${to}@${at}`;
    rows[at]?.push({ id, isLine: true });
    made.push(id);
  }
  return [...made, to];
}

/** Every row sorted by where its neighbours lie, down and up again, and the best of it kept. */
function untangled(rows: Slot[][], steps: readonly Step[]): Slot[][] {
  const above = endsBy(steps, "to", "from");
  const below = endsBy(steps, "from", "to");
  let order = rows;
  let best = rows;
  let fewest = crossings(rows, steps);
  for (let sweep = 0; sweep < SWEEPS && fewest > 0; sweep += 1) {
    order = sweep % 2 === 0 ? sorted(order, above) : sorted(order.toReversed(), below).toReversed();
    const count = crossings(order, steps);
    if (count < fewest) [best, fewest] = [order, count];
  }
  return best;
}

/** The other ends of the steps at each of these ends. */
export function endsBy(steps: readonly Step[], of: "from" | "to", to: "from" | "to"): Map<string, string[]> {
  const made = new Map<string, string[]>();
  for (const step of steps) made.set(step[of], [...(made.get(step[of]) ?? []), step[to]]);
  return made;
}

/** The rows one after the other, each sorted by where its neighbours in the row before it ended up. */
function sorted(rows: readonly Slot[][], beside: ReadonlyMap<string, string[]>): Slot[][] {
  const shares = new Map<string, number>();
  return rows.map((row) => {
    const wanted = row.map((slot, place) => {
      const around = (beside.get(slot.id) ?? []).flatMap((id) => shares.get(id) ?? []);
      return { slot, at: around.length === 0 ? (place + 0.5) / row.length : mean(around) };
    });
    const made = wanted.sort((one, other) => one.at - other.at).map(({ slot }) => slot);
    for (const [place, { id }] of made.entries()) shares.set(id, (place + 0.5) / row.length);
    return made;
  });
}

function placesOf(rows: readonly Slot[][]): Map<string, { row: number; place: number }> {
  return new Map(rows.flatMap((slots, row) => slots.map(({ id }, place) => [id, { row, place }] as const)));
}

export function crossings(rows: readonly Slot[][], steps: readonly Step[]): number {
  const places = placesOf(rows);
  const ends = steps.flatMap(({ from, to }) => {
    const [start, end] = [places.get(from), places.get(to)];
    return start === undefined || end === undefined ? [] : [{ row: start.row, start: start.place, end: end.place }];
  });
  let count = 0;
  for (const [place, one] of ends.entries()) {
    for (const other of ends.slice(place + 1)) {
      if (one.row === other.row && (one.start - other.start) * (one.end - other.end) < 0) count += 1;
    }
  }
  return count;
}

export function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(values.length, 1);
}
