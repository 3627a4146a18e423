/** The project's folders and files: how changes reach them, and which rows of them are shown. */

import type { FileHint, FsTreeUpdate, TreeNode } from "../../../wire/generated";

type Update = FsTreeUpdate["payload"];

/** A line of the explorer. */
export interface Row {
  path: string;
  name: string;
  isFolder: boolean;
  isOpen: boolean;
  /** 1 for what lies in the project's folder itself. */
  level: number;
  /** Its place among its siblings, from 1, and how many there are. */
  place: number;
  siblings: number;
  /** The style of the hint at this file, or in this folder. */
  hint: string | null;
}

/** The tree after something came, changed or went; the same tree when that does not show. */
export function updated(root: TreeNode, { action, path, newPath }: Update): TreeNode {
  switch (action) {
    case "add":
    case "addDir":
      return withNode(root, makeNode(path, action === "addDir"));
    case "unlink":
    case "unlinkDir":
      return without(root, path);
    case "rename": {
      const node = find(root, path);
      if (node === null || newPath === undefined || newPath === null) return root;
      return withNode(without(root, path), moved(node, newPath));
    }
    case "change":
      return root;
  }
}

export function find(root: TreeNode, path: string): TreeNode | null {
  if (root.path === path) return root;
  for (const child of root.children ?? []) {
    if (child.path === path) return child;
    if (path.startsWith(`${child.path}/`)) return find(child, path);
  }
  return null;
}

/** The rows of all folders that are open, in the order they are shown. */
export function rowsOf(root: TreeNode, open: ReadonlySet<string>, hints: ReadonlyMap<string, string>): Row[] {
  const rows: Row[] = [];
  const add = (nodes: TreeNode[], level: number): void => {
    nodes.forEach((node, at) => {
      const isFolder = node.type === "directory";
      const isOpen = isFolder && open.has(node.path);
      const hint = hints.get(node.path) ?? null;
      rows.push({ path: node.path, name: node.name, isFolder, isOpen, level, place: at + 1, siblings: nodes.length, hint });
      if (isOpen) add(node.children ?? [], level + 1);
    });
  };
  add(root.children ?? [], 1);
  return rows;
}

const WEIGHT: Record<string, number> = { suggested: 1, important: 2, critical: 3 };

/** What glows, and how: files with a hint, and the folders above them where the hint says so. */
export function glowing(hints: Iterable<FileHint>): Map<string, string> {
  const found = new Map<string, string>();
  const light = (path: string, style: string): void => {
    const before = found.get(path);
    if (before === undefined || (WEIGHT[style] ?? 0) > (WEIGHT[before] ?? 0)) found.set(path, style);
  };
  for (const { path, style, directories } of hints) {
    light(path, style);
    const folders = directories === true ? foldersAbove(path) : Array.isArray(directories) ? directories : [];
    for (const folder of folders) light(folder, style);
  }
  return found;
}

export function foldersAbove(path: string): string[] {
  const parts = path.split("/").slice(0, -1);
  return parts.map((_, at) => parts.slice(0, at + 1).join("/"));
}

export function nameOf(path: string): string {
  return path.split("/").at(-1) ?? path;
}

function makeNode(path: string, isFolder: boolean): TreeNode {
  const name = nameOf(path);
  return isFolder ? { name, path, type: "directory", children: [] } : { name, path, type: "file" };
}

function moved(node: TreeNode, path: string): TreeNode {
  const here = { ...node, path, name: nameOf(path) };
  if (node.children === undefined || node.children === null) return here;
  return { ...here, children: node.children.map((child) => moved(child, `${path}/${child.name}`)) };
}

/** The tree with a node in its place; folders that are missing on the way are made. */
function withNode(root: TreeNode, node: TreeNode): TreeNode {
  return place(root, node, foldersAbove(node.path));
}

function place(folder: TreeNode, node: TreeNode, way: string[]): TreeNode {
  const [next, ...rest] = way;
  const children = folder.children ?? [];
  if (next === undefined) {
    if (children.some(({ path }) => path === node.path)) return folder;
    return { ...folder, children: sorted([...children, node]) };
  }
  const known = children.find(({ path }) => path === next);
  const filled = place(known ?? makeNode(next, true), node, rest);
  if (known === undefined) return { ...folder, children: sorted([...children, filled]) };
  if (filled === known) return folder;
  return { ...folder, children: children.map((child) => (child === known ? filled : child)) };
}

function without(folder: TreeNode, path: string): TreeNode {
  const children = folder.children ?? [];
  const kept = children.flatMap((child) => {
    if (child.path === path) return [];
    return [path.startsWith(`${child.path}/`) ? without(child, path) : child];
  });
  const isSame = kept.length === children.length && kept.every((child, at) => child === children[at]);
  return isSame ? folder : { ...folder, children: kept };
}

/** Folders first, as the server lists them. */
function sorted(nodes: TreeNode[]): TreeNode[] {
  return nodes.sort((one, other) => {
    if (one.type !== other.type) return one.type === "directory" ? -1 : 1;
    return one.name.toLowerCase() < other.name.toLowerCase() ? -1 : 1;
  });
}
