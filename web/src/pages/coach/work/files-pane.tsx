/** The explorer: the tree, or why there is none yet. */

import { clsx } from "clsx";
import { ChevronDown, ChevronRight, FileText, Folder, FolderOpen } from "lucide-react";
import { type KeyboardEvent, type ReactNode, type RefObject, useEffect, useMemo, useRef, useState } from "react";

import { Loading, Skeleton } from "../../../ui/skeleton";
import type { TreeNode } from "../../../wire/generated";
import { useCoachActions } from "../state/actions";
import { glowing, type Row, rowsOf, useDrafts, useFiles } from "../state/files";
import { showsFiles, useHints } from "../state/hints";
import { coachStrings } from "../strings";

const text = coachStrings.files;

export function FilesPane(): ReactNode {
  const tree = useFiles((files) => files.tree);
  const isTruncated = useFiles((files) => files.isTruncated);
  if (tree === null) {
    return (
      <Loading label={text.loading}>
        <div className="flex flex-col gap-2 p-3">
          {[70, 50, 60, 40, 55].map((width) => (
            <div key={width} style={{ width: `${width}%` }}>
              <Skeleton className="h-6" />
            </div>
          ))}
        </div>
      </Loading>
    );
  }
  return (
    <div className="flex h-full min-h-0 flex-col">
      <h2 className="px-3 pt-2.5 pb-1.5 font-sans text-base font-semibold text-ink-soft max-lg:hidden">{text.heading}</h2>
      {isTruncated && <p className="px-3 pb-1 text-base text-warn">{text.truncated}</p>}
      <FileTree root={tree} />
    </div>
  );
}

const hintsText = coachStrings.hints;
const ROW_PX = 36;

/** The project's files as a tree. Only the rows one sees are drawn; files with a hint glow, and say so. */
function FileTree({ root }: { root: TreeNode }): ReactNode {
  const open = useFiles((files) => files.open);
  const current = useFiles((files) => files.current);
  const fileHints = useHints((hints) => (showsFiles(hints) ? hints.fileHints : null));
  const glows = useMemo(() => glowing(Object.values(fileHints ?? {})), [fileHints]);
  const rows = useMemo(() => rowsOf(root, open, glows), [root, open, glows]);
  const scroller = useRef<HTMLDivElement>(null);
  const { first, end } = useStretch(scroller, ROW_PX, rows.length);
  const [path, setPath] = useState<string | null>(current);
  const { openFile, toggleFolder } = useCoachActions();
  const at = Math.max(0, rows.findIndex((row) => row.path === path));
  const isDrawn = at >= first && at < end;

  const reveal = (place: number): void => {
    const element = scroller.current;
    if (element === null) return;
    const top = place * ROW_PX;
    if (top < element.scrollTop) element.scrollTop = top;
    else if (top + ROW_PX > element.scrollTop + element.clientHeight) element.scrollTop = top + ROW_PX - element.clientHeight;
  };

  // The file in front is found in the tree, whoever opened it.
  const place = rows.findIndex((row) => row.path === current);
  useEffect(() => {
    if (place >= 0) reveal(place);
  }, [place]);

  const act = (row: Row): void => {
    setPath(row.path);
    if (row.isFolder) toggleFolder(row.path, !row.isOpen);
    else openFile(row.path);
  };
  const press = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const move = moveFor(event.key, at, rows);
    if (move === null) return;
    event.preventDefault();
    if (move.kind === "go") {
      setPath(rows[move.to]?.path ?? null);
      reveal(move.to);
    } else if (move.kind === "fold") toggleFolder(move.path, move.isOpen);
    else openFile(move.path);
  };

  return (
    <div
      ref={scroller}
      role="tree"
      aria-label={coachStrings.files.heading}
      tabIndex={0}
      aria-activedescendant={isDrawn ? rowId(at) : undefined}
      onKeyDown={press}
      className="group min-h-0 flex-1 overflow-auto -outline-offset-3 max-lg:max-h-[60dvh]"
    >
      <div role="presentation" className="relative" style={{ height: rows.length * ROW_PX }}>
        {rows.slice(first, end).map((row, offset) => (
          <TreeRow
            key={row.path}
            row={row}
            at={first + offset}
            isActive={first + offset === at}
            isCurrent={row.path === current}
            onClick={() => {
              act(row);
            }}
          />
        ))}
      </div>
    </div>
  );
}

interface TreeRowProps {
  row: Row;
  at: number;
  isActive: boolean;
  isCurrent: boolean;
  onClick: () => void;
}

function TreeRow({ row, at, isActive, isCurrent, onClick }: TreeRowProps): ReactNode {
  const isChanged = useDrafts(({ drafts }) => drafts[row.path] !== undefined);
  const Icon = row.isFolder ? (row.isOpen ? FolderOpen : Folder) : FileText;
  const Fold = row.isOpen ? ChevronDown : ChevronRight;
  return (
    // The tree hears the keys for all its rows.
    // eslint-disable-next-line jsx-a11y/click-events-have-key-events
    <div
      id={rowId(at)}
      role="treeitem"
      tabIndex={-1}
      aria-level={row.level}
      aria-posinset={row.place}
      aria-setsize={row.siblings}
      aria-expanded={row.isFolder ? row.isOpen : undefined}
      aria-selected={isCurrent}
      title={row.path}
      onClick={onClick}
      data-glow={row.hint ?? undefined}
      className={clsx(
        "coach-row absolute inset-x-0 flex cursor-pointer items-center gap-1.5 pr-2 text-base whitespace-nowrap",
        isCurrent ? "bg-cover font-semibold" : "hover:bg-line/50",
        isActive && "group-focus-visible:outline-2 group-focus-visible:-outline-offset-2 group-focus-visible:outline-(--focus)",
      )}
      style={{ top: at * ROW_PX, height: ROW_PX, paddingLeft: 6 + (row.level - 1) * 14 }}
    >
      {row.isFolder ? <Fold aria-hidden className="size-4 shrink-0 text-ink-soft" /> : <span className="w-4 shrink-0" />}
      <Icon aria-hidden className="size-4 shrink-0 text-ink-soft" />
      <span className="truncate">{row.name}</span>
      {isChanged && (
        <>
          <span aria-hidden className="size-2 shrink-0 rounded-full bg-warn" />
          <span className="sr-only">{coachStrings.files.unsaved}</span>
        </>
      )}
      {row.hint !== null && <Glow row={row} hint={row.hint} />}
    </div>
  );
}

/** The glow in words, for those who see no colour. */
function Glow({ row, hint }: { row: Row; hint: string }): ReactNode {
  const style = hintsText.glow[hint] ?? hint;
  if (row.isFolder) return <span className="sr-only">{hintsText.inside(style)}</span>;
  return <span className="coach-glow ml-auto shrink-0 rounded px-1 text-[0.8125rem] font-semibold">{style}</span>;
}

function rowId(at: number): string {
  return `coach-row-${at}`;
}

// What the keys do in the tree of files, as WAI-ARIA wants it.

type Move = { kind: "go"; to: number } | { kind: "fold"; path: string; isOpen: boolean } | { kind: "open"; path: string };

/** What a key does at a row, or null when it does nothing here. */
export function moveFor(key: string, at: number, rows: readonly Row[]): Move | null {
  const row = rows[at];
  if (row === undefined) return null;
  switch (key) {
    case "ArrowDown":
      return go(at + 1, rows);
    case "ArrowUp":
      return go(at - 1, rows);
    case "Home":
      return go(0, rows);
    case "End":
      return go(rows.length - 1, rows);
    case "PageDown":
      return go(Math.min(at + 12, rows.length - 1), rows);
    case "PageUp":
      return go(Math.max(at - 12, 0), rows);
    case "ArrowRight":
      if (!row.isFolder) return null;
      return row.isOpen ? go(at + 1, rows) : { kind: "fold", path: row.path, isOpen: true };
    case "ArrowLeft":
      if (row.isOpen) return { kind: "fold", path: row.path, isOpen: false };
      return go(parentOf(at, rows), rows);
    case "Enter":
    case " ":
      return row.isFolder ? { kind: "fold", path: row.path, isOpen: !row.isOpen } : { kind: "open", path: row.path };
    default:
      return key.length === 1 ? go(named(key, at, rows), rows) : null;
  }
}

function go(to: number, rows: readonly Row[]): Move | null {
  return to >= 0 && to < rows.length ? { kind: "go", to } : null;
}

function parentOf(at: number, rows: readonly Row[]): number {
  const level = rows[at]?.level ?? 1;
  return rows.findLastIndex((row, place) => place < at && row.level < level);
}

/** The next row whose name begins so. */
function named(letter: string, at: number, rows: readonly Row[]): number {
  const begins = ({ name }: Row): boolean => name.toLowerCase().startsWith(letter.toLowerCase());
  const after = rows.findIndex((row, place) => place > at && begins(row));
  return after >= 0 ? after : rows.findIndex(begins);
}

// Which rows of a long list are drawn: those one sees, and some around them.

const AROUND = 8;

interface Stretch {
  first: number;
  /** The one after the last. */
  end: number;
}

export function stretchOf(top: number, height: number, rowHeight: number, count: number): Stretch {
  const first = Math.max(0, Math.floor(top / rowHeight) - AROUND);
  const end = Math.min(count, Math.ceil((top + height) / rowHeight) + AROUND);
  return { first: Math.min(first, Math.max(0, count - 1)), end };
}

/** The rows to draw in an element that scrolls. */
function useStretch(scroller: RefObject<HTMLElement | null>, rowHeight: number, count: number): Stretch {
  const [{ top, height }, setPlace] = useState({ top: 0, height: 600 });
  useEffect(() => {
    const element = scroller.current;
    if (element === null) return;
    const note = (): void => {
      setPlace((before) => {
        const now = { top: element.scrollTop, height: element.clientHeight };
        return before.top === now.top && before.height === now.height ? before : now;
      });
    };
    const observer = new ResizeObserver(note);
    observer.observe(element);
    element.addEventListener("scroll", note, { passive: true });
    return () => {
      observer.disconnect();
      element.removeEventListener("scroll", note);
    };
  }, [scroller]);
  return stretchOf(top, height === 0 ? 600 : height, rowHeight, count);
}
