/** A line of text whose `backticked` parts are set as code, as Paige's messages are written. */

import type { ReactNode } from "react";

export function Marked({ text, className }: { text: string; className?: string }): ReactNode {
  // split() with one group puts the backticked parts at the odd places.
  const parts = text.split(/`([^`]+)`/);
  return (
    <span className={className}>
      {parts.map((part, place) =>
        place % 2 === 1 ? (
          <code key={place} className="rounded bg-line px-1 py-0.5 text-[0.9em] text-ink">
            {part}
          </code>
        ) : (
          part
        ),
      )}
    </span>
  );
}
