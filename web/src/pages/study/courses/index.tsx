/** The courses: those that were begun, those that could be, and two ways to get another. */

import type { ReactNode } from "react";

import { useToday } from "../../../api/study-cache";
import { Page } from "../../../layout/page";
import { studyStrings } from "../../../strings-study";
import { coursesStrings } from "../../../strings-study-courses";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { StudyCourseSummary, StudyToday } from "../../../wire/generated";
import { Empty } from "../../../ui/empty";
import { CourseCard } from "./course-card";
import { Importer } from "./importer";
import { NewCourse } from "./new-course";
import { Problems } from "./problems";

const text = coursesStrings;

export default function CoursesPage(): ReactNode {
  const today = useToday();
  return (
    <Page title={studyStrings.titles.courses} lead={text.lead}>
      {today.data !== undefined && <Content today={today.data} />}
      {today.data === undefined && today.isError && <QueryError title={text.failed} query={today} />}
      {today.data === undefined && !today.isError && (
        <Loading label={text.loading}>
          <div className="mt-8 grid gap-6 sm:grid-cols-2">
            <Skeleton className="h-56" />
            <Skeleton className="h-56" />
          </div>
        </Loading>
      )}
    </Page>
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
    <section aria-label={heading} className="mt-8">
      <h2 className="text-xl">{heading}</h2>
      <ul className="mt-3 grid gap-6 sm:grid-cols-2 md:grid-cols-1 lg:grid-cols-2">
        {courses.map((course) => (
          <CourseCard key={course.name} course={course} />
        ))}
      </ul>
    </section>
  );
}
