/** Names and values below each other. */

import type { ReactNode } from "react";

export function Facts({ children }: { children: ReactNode }): ReactNode {
  return <dl className="text-base">{children}</dl>;
}

/** A line of it; nothing where there is nothing to say. */
export function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  if (children === "" || children === false || children === null || children === undefined) return null;
  return (
    <div className="grid grid-cols-[7.5rem_minmax(0,1fr)] gap-x-3 border-b border-rule py-1 last:border-0">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}
