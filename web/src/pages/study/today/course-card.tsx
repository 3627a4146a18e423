/** A course on the Today page: what waits in it, and the button to start. */

import { ChartSpline, Map as MapIcon, Play } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { coursePath } from "../../../routes";
import { studyStrings } from "../../../strings-study";
import { Button, buttonClass } from "../../../ui/button";
import type { StudyCourseSummary } from "../../../wire/generated";
import { useBegin } from "./use-begin";

const text = studyStrings.today;

interface CourseCardProps {
  course: StudyCourseSummary;
  /** The one to start with: its button stands out. */
  isFirst: boolean;
}

export function CourseCard({ course, isFirst }: CourseCardProps): ReactNode {
  const { name, title, description, begun, concepts, mastered, exam } = course;
  const { begin, isStarting } = useBegin(name);
  const isOpen = course.openSession !== null && !course.openSession.stale;
  return (
    <li className="flex flex-col rounded-2xl border border-line bg-card p-5 shadow-xs sm:p-6">
      <h3 className="text-xl">
        <Link href={coursePath("course", name)} className="hover:underline">
          {title}
        </Link>
      </h3>
      {description !== "" && <p className="mt-1 text-ink-soft">{description}</p>}
      <p className="mt-3 font-semibold text-door-ink">{begun ? text.facts(course) : text.size(concepts, course.items)}</p>
      {begun && (
        <div aria-hidden className="mt-2 h-2 overflow-hidden rounded-full bg-line">
          <div className="h-full rounded-full bg-spine" style={{ width: `${(mastered / Math.max(concepts, 1)) * 100}%` }} />
        </div>
      )}
      {exam !== null && <p className="mt-2 text-base text-ink-soft">{text.exam(exam)}</p>}
      <div className="mt-auto flex flex-wrap items-center gap-2 pt-5">
        {!isOpen && (
          <Button
            look={isFirst || !begun ? "primary" : "quiet"}
            className="min-h-12 px-5"
            aria-disabled={isStarting}
            onClick={begin}
          >
            <Play aria-hidden className="size-4" />
            {isStarting ? text.starting : text.start(course.minutes)}
            <span className="sr-only">{text.about(title)}</span>
          </Button>
        )}
        {begun && (
          <Link href={coursePath("progress", name)} className={buttonClass("quiet")}>
            <ChartSpline aria-hidden className="size-4" />
            {text.progress}
            <span className="sr-only">{text.about(title)}</span>
          </Link>
        )}
        <Link href={coursePath("course", name)} className={buttonClass("quiet")}>
          <MapIcon aria-hidden className="size-4" />
          {text.details}
          <span className="sr-only">{text.about(title)}</span>
        </Link>
        {begun && (
          <Link href={`${coursePath("session", name)}?kind=review`} className="px-1 font-semibold text-accent underline underline-offset-4">
            {text.review}
            <span className="sr-only">{text.about(title)}</span>
          </Link>
        )}
      </div>
    </li>
  );
}
