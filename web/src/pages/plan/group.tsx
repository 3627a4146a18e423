/** A group of rows that can be folded away. */

import { ChevronRight } from "lucide-react";
import type { ReactNode } from "react";

import { useFold } from "../../ui/panes/sizes";

export const ROW =
  "flex min-h-9 w-full items-start gap-2.5 rounded-md px-3 py-1.5 text-left text-base leading-snug transition-colors " +
  "hover:bg-line/60 disabled:opacity-60 disabled:hover:bg-transparent max-lg:min-h-11";

/** Where the focus returns when a document is closed. */
export function rowId(path: string): string {
  return `plan-file-${path}`;
}

interface GroupProps {
  name: string;
  count: number;
  /** As long as nobody has decided. */
  isOpen: boolean;
  children: ReactNode;
}

export function Group({ name, count, isOpen, children }: GroupProps): ReactNode {
  const [isUnfolded, fold] = useFold(`plan/${name}`, isOpen);
  return (
    <details open={isUnfolded} className="group mt-1">
      <summary
        // Not `toggle`: it comes later, when the page may be gone, and also when nobody decided.
        onClick={(event) => {
          event.preventDefault();
          fold(!isUnfolded);
        }}
        className="flex min-h-9 cursor-pointer items-center gap-1.5 rounded-md px-2 font-semibold text-ink-soft hover:text-accent"
      >
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {name}
        <span className="text-sm font-normal">{count}</span>
      </summary>
      {children}
    </details>
  );
}
