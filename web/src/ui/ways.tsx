/** The row of links between the pages of a door. */

import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Link } from "wouter";

export interface Way {
  name: string;
  href: string;
}

interface WaysProps {
  /** What the row is called. */
  label: string;
  ways: readonly Way[];
  /** The address of the page it stands on; null when that is none of them. */
  here: string | null;
  className?: string;
}

export function Ways({ label, ways, here, className }: WaysProps): ReactNode {
  return (
    <nav data-unprinted aria-label={label} className={clsx("flex flex-wrap gap-1 sm:gap-2", className ?? "mt-5")}>
      {ways.map(({ name, href }) => (
        <Link
          key={href}
          href={href}
          aria-current={href === here ? "page" : undefined}
          className={clsx(
            "flex min-h-11 items-center rounded-md border px-1.5 font-semibold transition-colors max-sm:text-[0.9375rem] sm:px-4",
            href === here ? "border-spine bg-cover text-ink" : "border-line bg-card text-ink-soft hover:border-accent hover:text-accent",
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
