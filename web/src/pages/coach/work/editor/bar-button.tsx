/** A small button with an icon, a word and its key. */

import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ComponentProps, ReactNode } from "react";

interface BarButtonProps extends ComponentProps<"button"> {
  icon: LucideIcon;
  keys?: string;
  /** The same key, as assistive technology wants it. */
  shortcut?: string;
}

export function BarButton({ icon: Icon, keys, shortcut, children, className, ...props }: BarButtonProps): ReactNode {
  return (
    <button
      type="button"
      aria-keyshortcuts={shortcut}
      {...props}
      className={clsx(
        "flex min-h-9 items-center gap-1.5 rounded-md px-2.5 text-base font-semibold text-ink transition-colors max-lg:min-h-11",
        "hover:bg-line aria-pressed:bg-cover disabled:cursor-not-allowed disabled:text-ink-soft disabled:hover:bg-transparent",
        className,
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-door-ink" />
      {children}
      {keys !== undefined && (
        <kbd aria-hidden className="font-sans text-sm font-normal text-ink-soft max-2xl:hidden">
          {keys}
        </kbd>
      )}
    </button>
  );
}
