/** Rows in the order of a column. */

import { locale } from "../locale/words";

export interface Sort {
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
