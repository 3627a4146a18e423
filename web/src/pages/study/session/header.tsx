/** Where in the session somebody is: the course, how far it is, how much time is left, a way out. */

import { clsx } from "clsx";
import { CirclePause } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { usePageTitle } from "../../../layout/page";
import { STUDY_PATHS } from "../../../routes";
import { studyStrings } from "../../../strings-study";
import { sessionStrings as text } from "../../../strings-study-session";
import { buttonClass } from "../../../ui/button";
import type { StudyStep } from "../../../wire/generated";

/** The heading stays the same element from the first moment, and so does the focus that a link put on it. */
export function SessionHeader({ title, step }: { title: string; step: StudyStep | undefined }): ReactNode {
  usePageTitle(`${title} · ${studyStrings.titles.session}`);
  const isOpen = step !== undefined && step.stage !== "nothing" && step.stage !== "over";
  const item = isOpen ? step.item : null;
  return (
    <header className="mb-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h1 tabIndex={-1} className="mr-auto text-xl sm:text-2xl">
          {title}
          {step !== undefined && step.kind !== "study" && (
            <span className="ml-2 rounded-full bg-cover px-2.5 py-0.5 align-middle font-sans text-base font-semibold text-door-ink">
              {text.kinds[step.kind]}
            </span>
          )}
        </h1>
        {isOpen && (
          <Link data-unprinted href={STUDY_PATHS.today} title={text.pauseHint} className={clsx(buttonClass("quiet"), "text-base")}>
            <CirclePause aria-hidden className="size-4" />
            {text.pause}
          </Link>
        )}
      </div>
      {isOpen && item !== null && (
        <div className="mt-2 flex items-center gap-3 text-base text-ink-soft">
          <Parts number={item.number} of={item.of} />
          <p className="shrink-0 tabular-nums">{text.minutesLeft(step.minutesLeft)}</p>
        </div>
      )}
    </header>
  );
}

function Parts({ number, of }: { number: number; of: number }): ReactNode {
  return (
    <div
      role="progressbar"
      aria-label={text.progress(number, of)}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={number - 1}
      aria-valuetext={text.progress(number, of)}
      title={text.progress(number, of)}
      className="flex flex-1 gap-1"
    >
      {Array.from({ length: of }, (_, place) => (
        <span
          key={place}
          className={clsx(
            "h-2 flex-1 rounded-full transition-colors",
            place < number - 1 && "bg-spine",
            place === number - 1 && "border border-spine bg-cover",
            place > number - 1 && "bg-line",
          )}
        />
      ))}
    </div>
  );
}
