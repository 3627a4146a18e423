/** What a search found: how many, the rows, or that there is nothing and how to find more. */

import type { ComponentProps, ReactNode } from "react";

import { NothingFound } from "./empty";

interface FoundListProps extends ComponentProps<typeof NothingFound> {
  isBusy: boolean;
  /** How many, in words; null when there are none. */
  count: string | null;
  /** Said beside the count. */
  remark?: string;
  /** The rows, each a list item. */
  children: ReactNode;
}

export function FoundList({ isBusy, count, remark = "", children, ...nothing }: FoundListProps): ReactNode {
  return (
    <div aria-busy={isBusy}>
      <p role="status" className={count === null ? "sr-only" : "text-base text-ink-soft"}>
        {count ?? nothing.words.nothing}
        {remark}
      </p>
      {count === null && <NothingFound {...nothing} />}
      <ul className="mt-2 divide-y divide-rule border-y border-rule empty:hidden">{children}</ul>
    </div>
  );
}
