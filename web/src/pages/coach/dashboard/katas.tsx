/** Katas made from what sessions showed. */

import { Dumbbell } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { buttonClass } from "../../../ui/button";
import { EmptyLine } from "../../../ui/data/empty";
import { Section } from "../../../ui/section";
import type { KataSummary } from "../../../wire/generated";
import { coachStrings } from "../strings";

const text = coachStrings.dashboard;

export function Katas({ katas }: { katas: KataSummary[] }): ReactNode {
  return (
    <Section heading={text.katas}>
      {katas.length === 0 ? <EmptyLine>{text.katasEmpty}</EmptyLine> : <KataList katas={katas} />}
    </Section>
  );
}

export function KataList({ katas }: { katas: KataSummary[] }): ReactNode {
  return (
    <ul className="divide-y divide-rule border-y border-rule">
      {katas.map(({ id, title, topic, attemptsCount, bestLevel, constraintCount }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-5 gap-y-2 py-3">
          <Dumbbell aria-hidden className="size-5 shrink-0 text-door-ink" />
          <div className="min-w-0 flex-1 basis-56">
            <h3 className="font-sans text-[1.0625rem] font-semibold">{title}</h3>
            <p className="text-base text-ink-soft">
              {[
                topic,
                text.attempts(attemptsCount),
                ...(bestLevel === null ? [] : [text.bestLevel(bestLevel)]),
                ...(constraintCount === 0 ? [] : [text.constraints(constraintCount)]),
              ].join(" · ")}
            </p>
          </div>
          <Link
            href={`/coach/practice/${encodeURIComponent(id)}`}
            aria-label={text.practiseNamed(title)}
            className={buttonClass("quiet")}
          >
            {text.practise}
          </Link>
        </li>
      ))}
    </ul>
  );
}
