/** The project's files as a tree. Only the rows one sees are drawn; files with a hint glow, and say so. */

import { clsx } from "clsx";
import { ChevronDown, ChevronRight, FileText, Folder, FolderOpen } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useMemo, useRef, useState } from "react";

import { coachStrings } from "../../../../strings-coach";
import type { TreeNode } from "../../../../wire/generated";
import { useCoachActions } from "../../state/actions";
import { useDrafts } from "../../state/drafts";
import { useFiles } from "../../state/files";
import { showsFiles, useHints } from "../../state/hints";
import { glowing, type Row, rowsOf } from "../../state/tree";
import { moveFor } from "./keys";
import { useStretch } from "./virtual";

const text = coachStrings.hints;
const ROW_PX = 36;

export function FileTree({ root }: { root: TreeNode }): ReactNode {
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
  const style = text.glow[hint] ?? hint;
  if (row.isFolder) return <span className="sr-only">{text.inside(style)}</span>;
  return <span className="coach-glow ml-auto shrink-0 rounded px-1 text-[0.8125rem] font-semibold">{style}</span>;
}

function rowId(at: number): string {
  return `coach-row-${at}`;
}
