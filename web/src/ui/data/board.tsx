/** Things in columns, one for each state they may be in. */

import { type ReactNode, useId } from "react";

interface BoardColumnProps {
  title: ReactNode;
  about: string;
  /** What is said where there is none. */
  nobody: string;
  /** `li` elements. */
  children: readonly ReactNode[];
}

export function BoardColumn({ title, about, nobody, children }: BoardColumnProps): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="rounded-lg border border-line bg-line/25 p-3">
      <h3 id={id} className="flex items-center gap-2 text-lg">
        {title}
        <span className="ml-auto text-base font-normal text-ink-soft tabular-nums">{children.length}</span>
      </h3>
      <p className="text-[0.9375rem] leading-snug text-ink-soft">{about}</p>
      {children.length === 0 ? (
        <p className="mt-3 text-base text-ink-soft">{nobody}</p>
      ) : (
        <ul className="mt-3 flex flex-col gap-3">{children}</ul>
      )}
    </section>
  );
}
