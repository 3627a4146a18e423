/** The files of the project in this window: the tree, the tabs, and the texts as they are on the disk. */

import { create } from "zustand";

import type { Services } from "../../../services";
import { createDrafts, type Draft } from "../../../ui/forms/drafts";
import { useWarningBeforeLeaving as useWarning } from "../../../ui/forms/leaving";
import { ApiError } from "../../../wire/errors";
import type { FsContent, FsTree, FsTreeUpdate, TreeNode } from "../../../wire/generated";
import { foldersAbove, updated } from "./tree";

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
