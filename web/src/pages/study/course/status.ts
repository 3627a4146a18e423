/** How far a concept is, as it is shown: one sign, one colour, one word for each. */

import type { StudyConcept } from "../../../wire/generated";

export type Look = StudyConcept["status"] | "ready";

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
