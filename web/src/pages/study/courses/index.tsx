/** The courses: those that were begun, those that could be, and two ways to get another. */

import type { ReactNode } from "react";

import { useToday } from "../../../api/study-cache";
import { studyStrings } from "../../../strings-study";
import { coursesStrings } from "../../../strings-study-courses";
import { Answered } from "../../../ui/answered";
import { Empty } from "../../../ui/empty";
import { Section } from "../../../ui/section";
import { SkeletonRows } from "../../../ui/skeleton";
import type { StudyCourseSummary, StudyToday } from "../../../wire/generated";
import { Problems } from "../problems";
import { StudyFrame } from "../study-frame";
import { CourseCard } from "./course-card";
import { Importer } from "./importer";
import { NewCourse } from "./new-course";

const text = coursesStrings;

export default function CoursesPage(): ReactNode {
  return (
    <StudyFrame here="courses" heading={studyStrings.titles.courses} about={text.lead}>
      <Answered query={useToday()} words={text} skeleton={<SkeletonRows className="mt-8" />}>
        {(today) => <Content today={today} />}
      </Answered>
    </StudyFrame>
  );
}

function Content({ today }: { today: StudyToday }): ReactNode {
  const begun = today.courses.filter((course) => course.begun);
  const others = today.courses.filter((course) => !course.begun);
  return (
    <>
      <Problems problems={today.problems} />
      {today.courses.length === 0 && (
        <div className="mt-8">
          <Empty title={text.none} hint={text.noneHint} />
        </div>
      )}
      <Shelf heading={text.yours} courses={begun} />
      <Shelf heading={text.others} courses={others} />
      <div className="mt-12 grid items-start gap-x-12 gap-y-10 lg:grid-cols-2">
        <Importer />
        <NewCourse templates={today.templates} />
      </div>
    </>
  );
}

function Shelf({ heading, courses }: { heading: string; courses: readonly StudyCourseSummary[] }): ReactNode {
  if (courses.length === 0) return null;
  return (
    <Section heading={heading} className="mt-8">
      <ul className="grid gap-6 sm:grid-cols-2 md:grid-cols-1 lg:grid-cols-2">
        {courses.map((course) => (
          <CourseCard key={course.name} course={course} />
        ))}
      </ul>
    </Section>
  );
}
