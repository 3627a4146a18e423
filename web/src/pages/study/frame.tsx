/** How the pages of Study begin: the cover, and the ways between them. */

import { GraduationCap } from "lucide-react";
import { type ReactNode, useState } from "react";

import { coursePath, STUDY_PATHS } from "../../routes";
import { ShowMore } from "../../ui/data/shown";
import { DoorFrame } from "../../ui/door-frame";
import { Marked } from "../../ui/marked";
import { Notice } from "../../ui/notice";
import type { StudyProblem } from "../../wire/generated";
import { coursesStrings } from "./strings-courses";

const text = coursesStrings.nav;

interface StudyFrameProps {
  here: "today" | "courses" | "settings" | "course" | "progress";
  /** The course that the page is about. */
  course?: string;
  heading: string;
  title?: string;
  lead?: ReactNode;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function StudyFrame({ here, course, children, ...frame }: StudyFrameProps): ReactNode {
  const ofCourse =
    course === undefined
      ? []
      : (["course", "progress"] as const).map((page) => ({ page, name: text[page], href: coursePath(page, course) }));
  const ways = [
    ...(["today", "courses"] as const).map((page) => ({ page, name: text[page], href: STUDY_PATHS[page] })),
    ...ofCourse,
    { page: "settings" as const, name: text.settings, href: STUDY_PATHS.settings },
  ];
  const current = ways.find(({ page }) => page === here)?.href ?? null;
  return (
    <DoorFrame door="study" icon={GraduationCap} isSmall={here !== "today"} {...frame} ways={{ label: text.label, ways, here: current }}>
      {children}
    </DoorFrame>
  );
}

const problemText = coursesStrings.problem;
const FIRST = 5;

interface ProblemsProps {
  problems: readonly StudyProblem[];
  heading?: string;
  hint?: string;
  children?: ReactNode;
}

/** What is wrong in files: where, what, and what to do about it. */
export function Problems({ problems, heading, hint = problemText.hint, children }: ProblemsProps): ReactNode {
  const [isWhole, setIsWhole] = useState(false);
  if (problems.length === 0) return null;
  const shown = isWhole ? problems : problems.slice(0, FIRST);
  return (
    <Notice tone="warn" title={heading ?? problemText.heading(problems.length)} className="mt-6 max-w-3xl">
      <p className="text-base text-ink-soft">{hint}</p>
      <ul className="mt-3 flex flex-col gap-3">
        {shown.map((problem, place) => (
          <li key={place}>
            <p className="text-base break-words">
              <code className="rounded bg-line px-1 py-0.5">{problem.file}</code>
              {problem.line !== null && <span className="text-ink-soft"> {problemText.line(problem.line)}</span>}
            </p>
            <Marked className="block" text={problem.message} />
            <Marked className="block text-ink-soft" text={problem.fix} />
          </li>
        ))}
      </ul>
      {shown.length < problems.length && (
        <ShowMore
          words={problemText.more(problems.length - shown.length)}
          isBusy={false}
          onMore={() => {
            setIsWhole(true);
          }}
        />
      )}
      {children}
    </Notice>
  );
}
