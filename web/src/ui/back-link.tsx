/** The way back to the list that something was opened from. */

import { ArrowLeft } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

export function BackLink({ href, children }: { href: string; children: ReactNode }): ReactNode {
  return (
    <Link data-unprinted href={href} className="inline-flex min-h-11 items-center gap-2 font-semibold text-accent hover:underline">
      <ArrowLeft aria-hidden className="size-4.5" />
      {children}
    </Link>
  );
}
