/** A part of a page: its heading, a line about it, perhaps something beside it, and the content. */

import { clsx } from "clsx";
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
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

// Something to know before going on: what it is about, in a sheet with a coloured edge.

const LOOKS = {
  ok: { icon: CircleCheck, colour: "text-ok", edge: "border-l-ok" },
  info: { icon: Info, colour: "text-accent", edge: "border-l-accent" },
  warn: { icon: TriangleAlert, colour: "text-warn", edge: "border-l-warn" },
  fail: { icon: CircleAlert, colour: "text-fail", edge: "border-l-fail" },
};

interface NoticeProps {
  tone: keyof typeof LOOKS;
  title: ReactNode;
  /** Said at once to screen readers when it appears. */
  isUrgent?: boolean;
  className?: string;
  children?: ReactNode;
}

export function Notice({ tone, title, isUrgent = false, className, children }: NoticeProps): ReactNode {
  const { icon: Icon, colour, edge } = LOOKS[tone];
  const id = useId();
  return (
    <section
      role={isUrgent ? "alert" : undefined}
      aria-labelledby={id}
      className={clsx("rounded-lg border border-l-4 border-line bg-card p-5", edge, className)}
    >
      <p id={id} className="flex items-center gap-2 text-lg font-semibold">
        <Icon aria-hidden className={clsx("size-5 shrink-0", colour)} />
        {title}
      </p>
      {children !== undefined && <div className="mt-2">{children}</div>}
    </section>
  );
}
