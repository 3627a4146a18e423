/** A place where nothing is yet, and how something gets there. */

import type { ReactNode } from "react";

import { Marked } from "./marked";

export function Empty({ title, hint, children }: { title: string; hint: string; children?: ReactNode }): ReactNode {
  return (
    <div className="max-w-2xl rounded-lg border border-dashed border-edge p-6">
      <p className="text-lg font-semibold">{title}</p>
      <Marked className="mt-1 block text-ink-soft" text={hint} />
      {children}
    </div>
  );
}
