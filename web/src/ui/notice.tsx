/** Something to know before going on: what it is about, in a sheet with a coloured edge. */

import { clsx } from "clsx";
import { CircleAlert, CircleCheck, Info, TriangleAlert } from "lucide-react";
import { type ReactNode, useId } from "react";

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
