/** A review: passed or not, the level, what is good and what is missing, and what comes next. */

import { clsx } from "clsx";
import { CircleCheck, CircleDashed } from "lucide-react";
import type { ReactNode } from "react";

import { Mark } from "../../ui/data/badge";
import { Markdown } from "../../ui/markdown";
import { Marked } from "../../ui/marked";
import type { FollowUp } from "../../wire/generated";
import type { Review } from "./state/stores";
import { coachStrings } from "./strings";

const text = coachStrings.practice;

export function ReviewView({ review }: { review: Review }): ReactNode {
  const { passed, level, feedback, followUp, dreyfusSignal, unlockedConstraints } = review;
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Mark tone={passed ? "ok" : "warn"} icon={passed ? CircleCheck : CircleDashed}>
          {passed ? text.passed : text.notPassed}
        </Mark>
        {text.level(level)}
      </p>
      <Level level={level} />
      <Markdown text={feedback} deeper={2} />
      {followUp !== null && (
        <p>
          <Marked text={followUpWords(followUp)} />
        </p>
      )}
      {unlockedConstraints.length > 0 && (
        <p>
          <strong>{text.unlocked}</strong> {unlockedConstraints.map(({ title }) => title).join(", ")}
        </p>
      )}
      <p className="text-base text-ink-soft">{text.signals[dreyfusSignal]}</p>
    </div>
  );
}

function Level({ level }: { level: number }): ReactNode {
  return (
    <div aria-hidden className="flex gap-1">
      {Array.from({ length: 10 }, (_, at) => (
        <span key={at} className={clsx("h-2 flex-1 rounded-sm", at < level ? "bg-spine" : "bg-line")} />
      ))}
    </div>
  );
}

function followUpWords({ type, constraint, reason }: FollowUp): string {
  return [text.followUps[type], constraint, reason].filter((part) => typeof part === "string" && part !== "").join(" ");
}
