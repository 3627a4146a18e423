/** A part of the coach's panel. */

import { type ComponentProps, type ReactNode, useId } from "react";

interface PanelSectionProps {
  title: string;
  aside?: ReactNode;
  children: ReactNode;
}

export function PanelSection({ title, aside, children }: PanelSectionProps): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-b border-rule px-4 py-3 last:border-b-0">
      <div className="flex min-h-8 items-center justify-between gap-2">
        <h2 id={id} className="text-[1.0625rem]">
          {title}
        </h2>
        {aside}
      </div>
      <div className="mt-1.5">{children}</div>
    </section>
  );
}

export function SmallButton({ className = "", ...props }: ComponentProps<"button">): ReactNode {
  return (
    <button
      type="button"
      {...props}
      className={
        "inline-flex min-h-9 items-center gap-1.5 rounded-md border border-edge bg-card px-2.5 text-base font-semibold " +
        "text-ink transition-colors hover:border-accent hover:text-accent disabled:cursor-not-allowed disabled:opacity-60 max-lg:min-h-11 " +
        className
      }
    />
  );
}
