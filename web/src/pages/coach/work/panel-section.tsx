/** A part of the coach's panel. */

import { clsx } from "clsx";
import { ChevronRight } from "lucide-react";
import { type ComponentProps, type ReactNode, useId } from "react";

import { useFold } from "../../../ui/panes/sizes";

interface PanelSectionProps {
  title: string;
  aside?: ReactNode;
  /** What somebody has asked for is there to be read. */
  isAlwaysOpen?: boolean;
  children: ReactNode;
}

/** It stays folded away, or open, as it was left. */
export function PanelSection({ title, aside, isAlwaysOpen = false, children }: PanelSectionProps): ReactNode {
  const id = useId();
  const [isUnfolded, fold] = useFold(`coach/${title}`, true);
  const isOpen = isAlwaysOpen || isUnfolded;
  return (
    <section aria-labelledby={id} className="border-b border-rule px-4 py-3 last:border-b-0">
      <div className="flex min-h-8 items-center justify-between gap-2">
        <h2 id={id} className="text-[1.0625rem]">
          {isAlwaysOpen ? (
            title
          ) : (
            <button
              type="button"
              aria-expanded={isOpen}
              aria-controls={`${id}-content`}
              className="-ml-1.5 inline-flex min-h-9 items-center gap-1 rounded-md pr-2 hover:text-accent max-lg:min-h-11"
              onClick={() => {
                fold(!isOpen);
              }}
            >
              <ChevronRight aria-hidden className={clsx("size-4 text-ink-soft transition-transform", isOpen && "rotate-90")} />
              {title}
            </button>
          )}
        </h2>
        {aside}
      </div>
      <div id={`${id}-content`} hidden={!isOpen} className="mt-1.5">
        {children}
      </div>
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
