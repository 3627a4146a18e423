/** The ways between the pages of a course. */

import { clsx } from "clsx";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { coursePath, STUDY_PATHS } from "../../../routes";
import { coursesStrings } from "../../../strings-study-courses";

const text = coursesStrings.nav;

export function CourseNav({ course, here }: { course: string; here: "course" | "progress" }): ReactNode {
  const links = [
    { name: text.course, to: coursePath("course", course), isHere: here === "course" },
    { name: text.progress, to: coursePath("progress", course), isHere: here === "progress" },
    { name: text.courses, to: STUDY_PATHS.courses, isHere: false },
    { name: text.settings, to: STUDY_PATHS.settings, isHere: false },
  ];
  return (
    <nav aria-label={text.label} className="mt-4 flex flex-wrap border-b border-line sm:gap-x-1">
      {links.map(({ name, to, isHere }) => (
        <Link
          key={to}
          href={to}
          aria-current={isHere ? "page" : undefined}
          className={clsx(
            "-mb-px flex min-h-11 items-center border-b-3 px-2 font-semibold sm:px-3 transition-colors hover:text-accent",
            isHere ? "border-accent text-accent" : "border-transparent text-ink-soft",
          )}
        >
          {name}
        </Link>
      ))}
    </nav>
  );
}
