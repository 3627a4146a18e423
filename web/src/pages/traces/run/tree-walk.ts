/** Going about in a tree of steps: what is seen, what is above, what is open. Pure. */

import type { Tree, TreeNode } from "./tree";

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
