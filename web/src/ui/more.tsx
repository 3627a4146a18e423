/** Something that is opened by whoever wants to know more. */

import { clsx } from "clsx";
import type { LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

interface MoreProps {
  words: ReactNode;
  /** What it is about, for screen readers: the words alone may stand several times on a page. */
  about?: string;
  icon?: LucideIcon;
  isOpen?: boolean;
  onToggle?: (isOpen: boolean) => void;
  className?: string;
  children: ReactNode;
}

export function More({ words, about, icon: Icon, isOpen = false, onToggle, className = "mt-2", children }: MoreProps): ReactNode {
  return (
    <details
      className={className}
      open={isOpen || undefined}
      onToggle={(event) => {
        onToggle?.(event.currentTarget.open);
      }}
    >
      <summary
        className={clsx(
          "w-fit cursor-pointer text-base text-ink-soft hover:text-accent",
          Icon !== undefined && "flex min-h-11 items-center gap-2 font-semibold",
        )}
      >
        {Icon !== undefined && <Icon aria-hidden className="size-4.5" />}
        {words}
        {about !== undefined && <span className="sr-only">: {about}</span>}
      </summary>
      {children}
    </details>
  );
}
