/** What sessions showed to be missing: how far it is, and when it comes back in Study. */

import { CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { useGaps } from "../../../api/gaps-cache";
import { coursePath } from "../../../routes";
import { coachStrings } from "../../../strings-coach";
import { buttonClass } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { Section } from "../../../ui/section";
import { formatDay } from "../../../ui/when";
import type { CoachGap } from "../../../wire/generated";

const text = coachStrings.dashboard;

/** Nothing is shown before the first gap. */
export function Gaps(): ReactNode {
  const found = useGaps();
  if (found.isLoadingError) {
    return (
      <Section heading={text.gaps}>
        <QueryError title={text.gapsFailed} query={found} />
      </Section>
    );
  }
  if (found.data === undefined || found.data.length === 0) return null;
  return (
    <Section heading={text.gaps} lead={text.gapsLead}>
      <ul className="divide-y divide-rule border-y border-rule">
        {found.data.map((gap) => (
          <Gap key={gap.topic} gap={gap} />
        ))}
      </ul>
    </Section>
  );
}

function Gap({ gap }: { gap: CoachGap }): ReactNode {
  const { topic, closed, stage, course, concept } = gap;
  const Icon = closed ? CircleCheck : CircleDashed;
  return (
    <li className="flex flex-wrap items-center gap-x-5 gap-y-2 py-3">
      <Icon aria-hidden className={`size-5 shrink-0 ${closed ? "text-ok" : "text-ink-soft"}`} />
      <div className="min-w-0 flex-1 basis-56">
        <h3 className="font-sans text-[1.0625rem] font-semibold">{topic}</h3>
        <p className="text-base text-ink-soft">
          {[closed ? text.gapClosed : text.gapOpen, text.stages[stage], nextReview(gap), ...cameFrom(gap)].join(" · ")}
        </p>
      </div>
      {concept !== "" && (
        <Link
          href={`${coursePath("course", course)}?concept=${encodeURIComponent(concept)}`}
          aria-label={text.gapInStudyNamed(topic)}
          className={buttonClass("quiet")}
        >
          {text.gapInStudy}
        </Link>
      )}
    </li>
  );
}

function nextReview({ due, nextReview: at }: CoachGap): string {
  if (at === null) return text.gapUnplanned;
  return due ? text.gapDue : text.gapNext(formatDay(at));
}

function cameFrom({ sessionAt, sessionTitle }: CoachGap): string[] {
  return sessionAt === null ? [] : [text.gapFrom(sessionTitle, formatDay(sessionAt))];
}
