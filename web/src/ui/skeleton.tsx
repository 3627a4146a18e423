/** A grey place for something that is still being read. */

import { clsx } from "clsx";
import type { ReactNode } from "react";

export function Skeleton({ className }: { className: string }): ReactNode {
  return <div aria-hidden data-skeleton className={clsx("animate-pulse rounded-lg bg-line/60", className)} />;
}

/** Wraps skeletons, and says in words what they stand for. */
export function Loading({ label, children }: { label: string; children: ReactNode }): ReactNode {
  return (
    <div role="status">
      <span className="sr-only">{label}</span>
      {children}
    </div>
  );
}

/** Skeletons of a list. */
export function SkeletonRows({ className }: { className?: string }): ReactNode {
  return (
    <div className={clsx("flex flex-col gap-3", className)}>
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
      <Skeleton className="h-16" />
    </div>
  );
}
