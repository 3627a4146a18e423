/** The files of the project in this window: the tree, the tabs, and the texts as they are on the disk. */

import { create } from "zustand";

import type { Services } from "../../../services";
import { createDrafts, type Draft, useWarningBeforeLeaving as useWarning } from "../../../ui/forms/drafts";
import type { FileHint, FsContent, FsTree, FsTreeUpdate, TreeNode } from "../../../wire/generated";
import { ApiError } from "../../../wire/http";

// The project's folders and files: how changes reach them, and which rows of them are shown.

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

function foldersAbove(path: string): string[] {
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

type Content = FsContent["payload"];

export interface OpenFile {
  path: string;
  /** The text on the disk, as far as this window knows. */
  saved: string;
  language: string;
  isBinary: boolean;
  /** The text that is being saved. */
  saving: string | null;
  /** Why the last save did not work. */
  error: string | null;
}

/** A line to go to; `time` tells one wish from the next. */
export interface GoTo {
  path: string;
  line: number;
  time: number;
}

interface FilesStore {
  tree: TreeNode | null;
  isTruncated: boolean;
  /** Folders that are open in the explorer. */
  open: ReadonlySet<string>;
  files: Readonly<Record<string, OpenFile>>;
  tabs: readonly string[];
  current: string | null;
  /** Files that are being fetched, and those that could not be. */
  opening: string | null;
  failed: { path: string; message: string; hint: string | null } | null;
  goTo: GoTo | null;
  takeTree: (tree: FsTree["payload"]) => void;
  takeUpdate: (update: FsTreeUpdate["payload"]) => void;
  takeContent: (content: Content, isShown: boolean) => void;
  changeFile: (path: string, changes: Partial<OpenFile>) => void;
  begin: (path: string) => void;
  fail: (path: string, message: string, hint: string | null) => void;
  show: (path: string, line?: number | null) => void;
  close: (path: string) => void;
  toggle: (folder: string, isOpen: boolean) => void;
}

let wishes = 0;

export const useFiles = create<FilesStore>()((set) => ({
  tree: null,
  isTruncated: false,
  open: new Set(),
  files: {},
  tabs: [],
  current: null,
  opening: null,
  failed: null,
  goTo: null,
  takeTree: ({ root, truncated = false }) => {
    set({ tree: root, isTruncated: truncated });
  },
  takeUpdate: (update) => {
    set(({ tree }) => (tree === null ? {} : { tree: updated(tree, update) }));
  },
  takeContent: ({ path, content, language, binary = false }, isShown) => {
    set(({ files, tabs, current, opening }) => {
      const before = files[path];
      const file: OpenFile = {
        path,
        saved: content,
        language,
        isBinary: binary,
        saving: before?.saving ?? null,
        error: before?.error ?? null,
      };
      return {
        files: { ...files, [path]: file },
        tabs: tabs.includes(path) ? tabs : [...tabs, path],
        current: isShown || current === null ? path : current,
        opening: opening === path ? null : opening,
        failed: null,
      };
    });
  },
  changeFile: (path, changes) => {
    set(({ files }) => {
      const before = files[path];
      return before === undefined ? {} : { files: { ...files, [path]: { ...before, ...changes } } };
    });
  },
  begin: (path) => {
    set({ opening: path, failed: null });
  },
  fail: (path, message, hint) => {
    set(({ opening }) => ({ failed: { path, message, hint }, opening: opening === path ? null : opening }));
  },
  show: (path, line = null) => {
    wishes += 1;
    const time = wishes;
    set(({ open, goTo }) => ({
      current: path,
      failed: null,
      open: new Set([...open, ...foldersAbove(path)]),
      goTo: line === null ? goTo : { path, line, time },
    }));
  },
  close: (path) => {
    set(({ tabs, current, files }) => {
      const at = tabs.indexOf(path);
      const left = tabs.filter((tab) => tab !== path);
      return {
        tabs: left,
        current: current === path ? (left[Math.min(at, left.length - 1)] ?? null) : current,
        files: Object.fromEntries(Object.entries(files).filter(([name]) => name !== path)),
      };
    });
  },
  toggle: (folder, isOpen) => {
    set(({ open }) => {
      const next = new Set(open);
      if (isOpen) next.add(folder);
      else next.delete(folder);
      return { open: next };
    });
  },
}));

// Texts of the project that are not saved yet, known by a mark of the text on the disk they were made from.

export const useDrafts = createDrafts("paige-coach-files");

/** A short mark of a text: the same text has the same one. */
export function markOf(text: string): string {
  let hash = 0x811c9dc5;
  for (let at = 0; at < text.length; at += 1) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return `${text.length}-${(hash >>> 0).toString(36)}`;
}

/** Whether what is typed was made from another text than the one on the disk. */
export function isStale(saved: string, { base }: Draft): boolean {
  return markOf(saved) !== base;
}

/** The browser asks before a tab is closed in which something is not saved. */
export function useWarningBeforeLeaving(): void {
  useWarning(useDrafts(({ drafts }) => Object.keys(drafts).length > 0));
}

// Reads files again that are open here, for whoever wants to know what the disk holds now.

/** A file that is saved all the time is not read for ever: whoever saves it looks at the disk anyway. */
const MOST_READS = 10;

/**
 * Takes over the text on the disk. An answer may be older than a save that was made meanwhile: then it
 * would bring back what is not there any more, so the file is read again.
 */
export async function readDisk({ api }: Pick<Services, "api">, path: string): Promise<void> {
  for (let reads = 0; reads < MOST_READS; reads += 1) {
    const before = useFiles.getState().files[path];
    if (before === undefined) return;
    const { content, binary } = await api.coach.file(path);
    if (useFiles.getState().files[path] === before && before.saving === null) {
      useFiles.getState().changeFile(path, { saved: content, isBinary: binary });
      return;
    }
  }
}

/** The same for a file that somebody changed. */
export async function takeDiskChange(services: Pick<Services, "api">, path: string): Promise<void> {
  try {
    await readDisk(services, path);
  } catch (error) {
    // It may be gone again by now; the tree says so.
    if (!(error instanceof ApiError)) throw error;
  }
}
