/** How the pages of Study begin: the cover, and the ways between them. */

import { GraduationCap } from "lucide-react";
import type { ReactNode } from "react";

import { coursePath, STUDY_PATHS } from "../../routes";
import { coursesStrings } from "../../strings-study-courses";
import { DoorFrame } from "../../ui/door-frame";

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
