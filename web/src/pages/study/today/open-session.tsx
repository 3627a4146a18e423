/** A session that waits: one click, and it goes on where it was. */

import { ArrowRight } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { coursePath } from "../../../routes";
import { studyStrings } from "../../../strings-study";
import { sessionStrings } from "../../../strings-study-session";
import { buttonClass } from "../../../ui/button";
import type { StudyCourseSummary } from "../../../wire/generated";

const text = studyStrings.today;

export function OpenSession({ course }: { course: StudyCourseSummary }): ReactNode {
  const { openSession: open, title, name } = course;
  if (open === null) return null;
  const facts = [
    text.open(sessionStrings.kinds[open.kind], open.done, open.of),
    open.modality !== null && studyStrings.modalities[open.modality],
    text.minutesLeft(open.minutesLeft),
  ];
  return (
    <li className="flex flex-col rounded-2xl border-2 border-spine bg-card p-5 shadow-xs sm:p-6">
      <h3 className="text-xl">{title}</h3>
      <p className="mt-1 text-lg">{text.openAt(open.title)}</p>
      <p className="text-ink-soft">{facts.filter(Boolean).join(" · ")}</p>
      <div aria-hidden className="mt-3 h-2 overflow-hidden rounded-full bg-line">
        <div className="h-full rounded-full bg-spine" style={{ width: `${(open.done / Math.max(open.of, 1)) * 100}%` }} />
      </div>
      <div className="mt-5">
        <Link href={coursePath("session", name)} className={`${buttonClass("primary")} min-h-12 px-6 text-lg`}>
          {text.goOn}
          <span className="sr-only">{text.about(title)}</span>
          <ArrowRight aria-hidden className="size-5" />
        </Link>
      </div>
    </li>
  );
}
