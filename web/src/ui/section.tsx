/** A part of a page: its heading, a line about it, perhaps something beside it, and the content. */

import { clsx } from "clsx";
import { type ReactNode, useId } from "react";

interface SectionProps {
  heading: ReactNode;
  lead?: ReactNode;
  /** Beside the heading, such as what is chosen or done for the whole part. */
  aside?: ReactNode;
  /** A part of a part. */
  isSmall?: boolean;
  className?: string;
  children: ReactNode;
}

export function Section({ heading, lead, aside, isSmall = false, className = "mt-10", children }: SectionProps): ReactNode {
  const id = useId();
  const Heading = isSmall ? "h3" : "h2";
  return (
    <section aria-labelledby={id} className={className}>
      <div className={clsx("flex flex-wrap items-center justify-between gap-x-4 gap-y-2", aside !== undefined && aside !== false && "min-h-11")}>
        <Heading id={id} className={isSmall ? "text-lg" : "text-xl"}>
          {heading}
        </Heading>
        {aside}
      </div>
      {lead !== undefined && <p className="mt-1 max-w-2xl text-ink-soft">{lead}</p>}
      <div className="mt-3">{children}</div>
    </section>
  );
}
