/** A part of the dashboard: its heading, perhaps something beside it, and the content. */

import { type ReactNode, useId } from "react";

interface SectionProps {
  title: string;
  aside?: ReactNode;
  className?: string;
  children: ReactNode;
}

export function Section({ title, aside, className = "", children }: SectionProps): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className={className}>
      <div className="flex min-h-11 flex-wrap items-center justify-between gap-x-4 gap-y-2">
        <h2 id={id} className="text-xl">
          {title}
        </h2>
        {aside}
      </div>
      <div className="mt-3">{children}</div>
    </section>
  );
}

export function Empty({ children }: { children: ReactNode }): ReactNode {
  return <p className="rounded-lg border border-dashed border-edge px-4 py-3 text-ink-soft">{children}</p>;
}
