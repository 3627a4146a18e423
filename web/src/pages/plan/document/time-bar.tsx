/** How the minutes of a lesson are spent, as one bar and in words. */

import type { ReactNode } from "react";

import { planStrings } from "../strings";

const text = planStrings.document;

/** A title without its `(8 min)`, and the minutes. */
export function splitMinutes(title: string): { name: string; minutes: number | null } {
  const found = /^(.*?)\s*\((\d{1,3}) min\)$/.exec(title.trim());
  return found === null ? { name: title, minutes: null } : { name: found[1] ?? title, minutes: Number(found[2]) };
}

export function TimeBar({ titles }: { titles: string[] }): ReactNode {
  const parts = titles.map(splitMinutes).filter(({ minutes }) => minutes !== null && minutes > 0);
  if (parts.length === 0) return null;
  const total = parts.reduce((sum, { minutes }) => sum + (minutes ?? 0), 0);
  return (
    <figure className="mt-6 break-inside-avoid">
      <figcaption className="flex justify-between text-base text-ink-soft">
        <span>{text.time}</span>
        <span>{text.total(total)}</span>
      </figcaption>
      <div aria-hidden className="mt-1.5 flex gap-0.5">
        {parts.map(({ minutes }, place) => (
          <span key={place} style={{ flex: `${minutes ?? 0} 1 0` }} className={`h-2.5 rounded-xs ${shade(place)}`} />
        ))}
      </div>
      <ol className="mt-2 flex flex-wrap gap-x-4 gap-y-0.5 text-base">
        {parts.map(({ name, minutes }, place) => (
          <li key={place} title={name} className="flex items-center gap-1.5">
            <span aria-hidden className={`size-2.5 rounded-xs ${shade(place)}`} />
            {shortName(name)} <span className="text-ink-soft">{text.minutes(minutes ?? 0)}</span>
          </li>
        ))}
      </ol>
    </figure>
  );
}

function shade(place: number): string {
  return place % 2 === 0 ? "bg-spine" : "bg-spine/55";
}

/** "Learning cycle 1: Counting" says "Cycle 1" under a narrow bar. */
function shortName(name: string): string {
  const [, number] = /^learning cycle (\d+)/i.exec(name) ?? [];
  return number === undefined ? name : `Cycle ${number}`;
}
