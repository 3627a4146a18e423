/** What sessions showed to be missing: how far it is, and when it comes back in Study. */

import { CircleCheck, CircleDashed } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Link, useSearchParams } from "wouter";

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
  const [address] = useSearchParams();
  const wanted = address.get("gap");
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
          <Gap key={gap.topic} gap={gap} isWanted={gap.topic === wanted} />
        ))}
      </ul>
    </Section>
  );
}

/** `isWanted` is the one that a search has led to. */
function Gap({ gap, isWanted }: { gap: CoachGap; isWanted: boolean }): ReactNode {
  const { topic, closed, stage, course, concept } = gap;
  const row = useRef<HTMLLIElement>(null);
  useEffect(() => {
    if (isWanted) row.current?.scrollIntoView({ block: "center" });
  }, [isWanted]);
  const Icon = closed ? CircleCheck : CircleDashed;
  return (
    <li
      ref={row}
      aria-current={isWanted ? "true" : undefined}
      className="flex flex-wrap items-center gap-x-5 gap-y-2 py-3 aria-[current]:border-l-4 aria-[current]:border-l-door-ink aria-[current]:pl-3"
    >
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
