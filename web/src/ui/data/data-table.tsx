/**
 * Rows and columns: with a caption, sorted by a column's head, the heads in sight while one scrolls.
 * What is wider than its place is scrolled sideways, by the keyboard too; or its rows are stacked on small screens.
 */

import { clsx } from "clsx";
import { ArrowDown, ArrowUp, ChevronsUpDown } from "lucide-react";
import { type ReactNode, type RefObject, useLayoutEffect, useRef, useState } from "react";

import { locale } from "../../locale/words";
import { uiStrings } from "../strings";

export interface Column<Row> {
  key: string;
  name: string;
  cell: (row: Row) => ReactNode;
  /** Numbers stand at the end. */
  align?: "start" | "end";
  /** What the rows are sorted by; a column without it cannot sort. What is null comes last. */
  sortBy?: (row: Row) => string | number | null;
  /** The name is only read out. */
  nameHidden?: boolean;
  className?: string;
}

interface DataTableProps<Row> {
  caption: string;
  /** The caption is seen, not only read out. */
  captionShown?: boolean;
  columns: readonly Column<Row>[];
  rows: readonly Row[];
  rowKey: (row: Row) => string;
  /** How it is sorted at first; without it the rows come as they are. */
  sort?: Sort;
  /** What small screens do: scroll it sideways, or stack the cells of a row. */
  narrow?: "scroll" | "stack";
  /** What stands where no rows are. */
  empty?: ReactNode;
  className?: string;
}

export function DataTable<Row>(props: DataTableProps<Row>): ReactNode {
  const { caption, captionShown = false, columns, rows, rowKey, narrow = "scroll", empty, className } = props;
  const [sort, setSort] = useState<Sort | null>(props.sort ?? null);
  const [ref, isWider] = useIsWider<HTMLDivElement>();
  const by = columns.find(({ key }) => key === sort?.key)?.sortBy;
  const shown = sort === null || by === undefined ? rows : sorted(rows, by, sort.isDown);
  if (rows.length === 0 && empty !== undefined) return empty;
  return (
    <div
      ref={ref}
      {...(isWider ? { role: "group", tabIndex: 0, "aria-label": caption } : {})}
      className={clsx("min-w-0", isWider && "overflow-x-auto", className)}
    >
      <table className={clsx("w-full border-collapse text-left text-base", narrow === "stack" && "stacked")}>
        <caption className={captionShown ? "pb-2 text-left font-semibold" : "sr-only"}>{caption}</caption>
        <thead className={clsx(!isWider && "sticky top-16 z-10")}>
          <tr>
            {columns.map((column) => (
              <Head key={column.key} column={column} sort={sort} onSort={setSort} />
            ))}
          </tr>
        </thead>
        <tbody>
          {shown.map((row) => (
            <tr key={rowKey(row)} className="border-b border-rule align-top last:border-0">
              {columns.map((column, place) => (
                <Cell key={column.key} column={column} isName={place === 0}>
                  {column.cell(row)}
                </Cell>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

interface HeadProps<Row> {
  column: Column<Row>;
  sort: Sort | null;
  onSort: (sort: Sort) => void;
}

function Head<Row>({ column, sort, onSort }: HeadProps<Row>): ReactNode {
  const { key, name, align, sortBy, nameHidden = false } = column;
  const isSorted = sort?.key === key;
  const Icon = !isSorted ? ChevronsUpDown : sort.isDown ? ArrowDown : ArrowUp;
  const words = <span className={clsx(nameHidden && "sr-only")}>{name}</span>;
  return (
    <th
      scope="col"
      aria-sort={!isSorted ? undefined : sort.isDown ? "descending" : "ascending"}
      className={clsx("bg-paper px-2 py-1 align-bottom font-semibold shadow-[inset_0_-1px_0_var(--edge)] first:pl-0 last:pr-0", align === "end" && "text-right")}
    >
      {sortBy === undefined ? (
        words
      ) : (
        <button
          type="button"
          title={uiStrings.sortBy(name)}
          className={clsx("inline-flex min-h-11 items-center gap-1 hover:text-accent", align === "end" && "flex-row-reverse")}
          onClick={() => {
            onSort({ key, isDown: isSorted && !sort.isDown });
          }}
        >
          {words}
          <Icon aria-hidden className={clsx("size-4 shrink-0", !isSorted && "text-ink-soft")} />
        </button>
      )}
    </th>
  );
}

interface CellProps<Row> {
  column: Column<Row>;
  isName: boolean;
  children: ReactNode;
}

function Cell<Row>({ column: { name, align, className }, isName, children }: CellProps<Row>): ReactNode {
  const classes = clsx("px-2 py-2 font-normal first:pl-0 last:pr-0", align === "end" && "text-right tabular-nums", className);
  return isName ? (
    <th scope="row" className={classes}>
      {children}
    </th>
  ) : (
    <td data-name={name} className={classes}>
      {children}
    </td>
  );
}

// Rows in the order of a column.

interface Sort {
  /** The key of the column. */
  key: string;
  /** The largest first. */
  isDown: boolean;
}

const COLLATOR = new Intl.Collator(locale(), { numeric: true, sensitivity: "base" });

/** A sorted copy; equal rows keep their order, and what has no value comes last either way. */
export function sorted<Row>(rows: readonly Row[], by: (row: Row) => string | number | null, isDown: boolean): Row[] {
  return [...rows].sort((one, other) => {
    const [first, second] = [by(one), by(other)];
    if (first === null || second === null) return Number(first === null) - Number(second === null);
    const order = typeof first === "number" && typeof second === "number" ? first - second : COLLATOR.compare(String(first), String(second));
    return isDown ? -order : order;
  });
}

/** Whether what is in an element is wider than the element, so that it has to be scrolled sideways. */
function useIsWider<T extends HTMLElement>(): [RefObject<T | null>, boolean] {
  const ref = useRef<T | null>(null);
  const [isWider, setWider] = useState(false);
  useLayoutEffect(() => {
    const element = ref.current;
    if (element === null) return;
    const measure = (): void => {
      setWider(element.scrollWidth > element.clientWidth + 1);
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    for (const child of element.children) observer.observe(child);
    return () => {
      observer.disconnect();
    };
  }, []);
  return [ref, isWider];
}
