/** What the keys do in the tree, as WAI-ARIA has it. Pure: where to go, and what to open or close. */

import type { Tree, TreeNode } from "./tree";

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
