/** The sign of a status. Each has a shape of its own, so that nobody has to tell colours apart. */

import type { ReactNode } from "react";

import type { StudyConcept } from "../../wire/generated";

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

// How far a concept is, as it is shown: one sign, one colour, one word for each.

type Look = StudyConcept["status"] | "ready";

export const LOOKS: readonly Look[] = ["new", "ready", "learning", "relearning", "review", "mastered"];

export function lookOf({ status, ready }: Pick<StudyConcept, "status" | "ready">): Look {
  return status === "new" && ready ? "ready" : status;
}

/** The frame of a concept on the map. */
export const FRAMES: Record<Look, string> = {
  new: "border-dashed border-edge",
  ready: "border-solid border-accent",
  learning: "border-solid border-edge",
  relearning: "border-solid border-fail",
  review: "border-solid border-edge",
  mastered: "border-solid border-spine bg-cover",
};

/** The concept that is shown first: what is due, what can be begun, or simply the first. */
export function firstToShow(concepts: readonly StudyConcept[], now: Date): string | null {
  const due = concepts.find((each) => isDue(each, now));
  const ready = concepts.find((each) => lookOf(each) === "ready");
  return (due ?? ready ?? concepts[0])?.id ?? null;
}

export function isDue({ due }: Pick<StudyConcept, "due">, now: Date): boolean {
  return due !== null && daysUntil(due, now) === 0;
}

/** Days until something comes back, as people count them; none when it waits already or comes today. */
export function daysUntil(due: string, now: Date): number {
  const [from, to] = [midnight(now), midnight(new Date(due))];
  return Math.max(0, Math.round((to - from) / 86_400_000));
}

function midnight(moment: Date): number {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}
