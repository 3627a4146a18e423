/** A course as an exercise book: its label, what is in it, how far somebody is. */

import { CirclePlay, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { coursePath } from "../../../routes";
import { coursesStrings } from "../../../strings-study-courses";
import { fullDay } from "../../../ui/plots/days";
import type { StudyCourseSummary } from "../../../wire/generated";

const text = coursesStrings;

export function CourseCard({ course }: { course: StudyCourseSummary }): ReactNode {
  return (
    <li className="flex">
      <Link
        href={coursePath("course", course.name)}
        className="cover group flex w-full flex-col gap-3 py-5 pr-5 pl-9 transition-[translate,box-shadow] hover:-translate-y-0.5 hover:shadow-lg"
      >
        <span className="label block px-5 py-4">
          <span className="block font-heading text-xl font-semibold group-hover:underline">{course.title}</span>
          <span className="block text-base text-ink-soft">
            {text.domains[course.domain]} · {course.shipped ? text.shipped : text.own}
          </span>
        </span>
        {course.description !== "" && <span>{course.description}</span>}
        <span className="text-base">{text.contents(course.concepts, course.items, course.vocabulary)}</span>
        {course.begun && <HowFar course={course} />}
        {course.problems.length > 0 && (
          <span className="flex items-center gap-1.5 text-base font-semibold">
            <TriangleAlert aria-hidden className="size-4 text-warn" />
            {text.problems(course.problems.length)}
          </span>
        )}
      </Link>
    </li>
  );
}

function HowFar({ course }: { course: StudyCourseSummary }): ReactNode {
  const share = course.concepts === 0 ? 0 : course.mastered / course.concepts;
  const isOpen = course.openSession !== null && !course.openSession.stale;
  return (
    <span className="mt-auto block">
      <span aria-hidden className="block h-2.5 overflow-hidden rounded-full border border-edge bg-card">
        <span className="block h-full bg-door-ink" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="mt-1 flex flex-wrap gap-x-4 text-base">
        <span>{text.mastered(course.mastered, course.concepts)}</span>
        <span className="font-semibold">{course.due > 0 ? text.due(course.due) : text.notDue}</span>
        {course.exam !== null && <span>{text.exam(fullDay(course.exam))}</span>}
        {isOpen && (
          <span className="flex items-center gap-1 font-semibold">
            <CirclePlay aria-hidden className="size-4" />
            {text.open}
          </span>
        )}
      </span>
    </span>
  );
}
