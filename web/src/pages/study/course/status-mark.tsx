/** The sign of a status. Each has a shape of its own, so that nobody has to tell colours apart. */

import type { ReactNode } from "react";

import type { Look } from "./status";

export function StatusMark({ look }: { look: Look }): ReactNode {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className="size-4 shrink-0">
      {SHAPES[look]}
    </svg>
  );
}

const SHAPES: Record<Look, ReactNode> = {
  new: <circle cx="8" cy="8" r="6" fill="none" className="stroke-ink-soft" strokeWidth="1.75" strokeDasharray="2.2 2.5" />,
  ready: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" className="stroke-accent" strokeWidth="1.75" />
      <path d="M8 5v6M5 8h6" className="stroke-accent" strokeWidth="1.75" />
    </>
  ),
  learning: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" className="stroke-warn" strokeWidth="1.75" />
      <path d="M8 1.75a6.25 6.25 0 0 1 0 12.5z" className="fill-warn" />
    </>
  ),
  relearning: (
    <>
      <path d="M8 1.5 15 14H1z" fill="none" className="stroke-fail" strokeWidth="1.75" strokeLinejoin="round" />
      <path d="M8 6v4M8 11.25v1.25" className="stroke-fail" strokeWidth="1.75" />
    </>
  ),
  review: <circle cx="8" cy="8" r="7" className="fill-door-ink" />,
  mastered: (
    <path
      d="M8 .8l2.2 4.6 5 .7-3.6 3.5.9 5L8 12.2l-4.5 2.4.9-5L.8 6.1l5-.7z"
      className="fill-door-ink stroke-door-ink"
      strokeWidth="0.8"
      strokeLinejoin="round"
    />
  ),
};
