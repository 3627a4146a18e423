/** A part of the page with a heading and a few words. */

import { type ReactNode, useId } from "react";

interface SectionProps {
  heading: string;
  lead?: string;
  aside?: ReactNode;
  children: ReactNode;
}

export function Section({ heading, lead, aside, children }: SectionProps): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="min-w-0">
      <div className="flex flex-wrap items-center justify-between gap-x-6 gap-y-2">
        <h2 id={id} className="text-xl">
          {heading}
        </h2>
        {aside}
      </div>
      {lead !== undefined && <p className="mt-1 max-w-2xl text-base text-ink-soft">{lead}</p>}
      <div className="mt-4">{children}</div>
    </section>
  );
}
