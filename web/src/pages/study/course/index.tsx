/** The page of a course: into a session, the map of its concepts, what it is, and a copy to take along. */

import type { ReactNode } from "react";

import { useCourse } from "../../../api/study-cache";
import { studyStrings } from "../../../strings-study";
import { coursesStrings } from "../../../strings-study-courses";
import { Answered } from "../../../ui/answered";
import { fullDay } from "../../../ui/plots/days";
import { Skeleton } from "../../../ui/skeleton";
import type { StudyCourse } from "../../../wire/generated";
import { StartButtons } from "../courses/start-buttons";
import { Problems } from "../problems";
import { StudyFrame } from "../study-frame";
import { ExportMenu } from "./export-menu";
import { MapSection } from "./map-section";

const text = coursesStrings.course;

export default function CoursePage({ course: name }: { course: string }): ReactNode {
  const course = useCourse(name);
  const { data } = course;
  return (
    <StudyFrame
      here="course"
      course={name}
      title={data?.title ?? studyStrings.titles.course}
      heading={data?.title ?? name}
      about={data?.description}
    >
      <Answered query={course} words={text} skeleton={<Skeleton className="mt-6 h-96" />}>
        {(found) => <Content course={found} />}
      </Answered>
    </StudyFrame>
  );
}

function Content({ course }: { course: StudyCourse }): ReactNode {
  return (
    <>
      <p className="mt-4 flex flex-wrap gap-x-4 text-base text-ink-soft">
        <span>{coursesStrings.domains[course.domain]}</span>
        <span>{coursesStrings.contents(course.concepts.length, course.items, course.vocabulary)}</span>
        {course.sourceLanguage !== null && course.targetLanguage !== null && (
          <span>{text.languages(course.sourceLanguage, course.targetLanguage)}</span>
        )}
        {course.exam !== null && <span className="font-semibold text-ink">{coursesStrings.exam(fullDay(course.exam))}</span>}
      </p>
      <div className="mt-4 flex flex-wrap items-start gap-3">
        <StartButtons course={course.name} due={course.due} openSession={course.openSession} canQuiz={course.begun} />
        <ExportMenu course={course.name} />
      </div>
      <Problems problems={course.problems} />
      <MapSection course={course} />
      <p className="mt-10 text-base text-ink-soft">
        {course.shipped ? coursesStrings.shipped : text.folder}
        {course.folder !== "" && (
          <>
            {": "}
            <code className="break-all">{course.folder}</code>
          </>
        )}
      </p>
    </>
  );
}
