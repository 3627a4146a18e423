/** The progress page of a course: what is remembered now and later, the days, what goes wrong and what goes well. */

import type { ReactNode } from "react";

import { useCourse, useProgress } from "../../../api/study-cache";
import { studyStrings } from "../../../strings-study";
import { progressStrings } from "../../../strings-study-progress";
import { Answered } from "../../../ui/answered";
import { Empty } from "../../../ui/empty";
import { PrintButton } from "../../../ui/print-button";
import { Skeleton } from "../../../ui/skeleton";
import type { StudyReport } from "../../../wire/generated";
import { StartButtons } from "../courses/start-buttons";
import { Problems } from "../problems";
import { StudyFrame } from "../study-frame";
import { CalendarSection } from "./calendar-section";
import { FiguresStrip } from "./figures";
import { FadingSection, LoadSection, RecallSection } from "./memory-plots";
import { ErrorsSection, ModalitiesSection } from "./practice-sections";
import { isBegun } from "./reading";

const text = progressStrings;

export default function ProgressPage({ course }: { course: string }): ReactNode {
  const report = useProgress(course);
  const known = useCourse(course);
  return (
    <StudyFrame
      here="progress"
      course={course}
      title={studyStrings.titles.progress}
      heading={text.heading(report.data?.title ?? known.data?.title ?? course)}
      actions={<PrintButton />}
    >
      <Answered query={report} words={text} skeleton={<Skeleton className="mt-6 h-96" />}>
        {(found) => <Plots report={found} exam={known.data?.exam ?? null} />}
      </Answered>
    </StudyFrame>
  );
}

function Plots({ report, exam }: { report: StudyReport; exam: string | null }): ReactNode {
  return (
    <>
      <Problems problems={report.problems} />
      {isBegun(report) ? (
        <>
          <FiguresStrip report={report} />
          <div className="mt-10 flex flex-col gap-12">
            <RecallSection report={report} exam={exam} />
            <LoadSection report={report} exam={exam} />
            <CalendarSection report={report} />
            <div className="grid gap-12 lg:grid-cols-2">
              <FadingSection report={report} />
              <ModalitiesSection report={report} />
            </div>
            <ErrorsSection report={report} />
          </div>
        </>
      ) : (
        <div className="mt-8">
          <Empty title={text.nothing.title} hint={text.nothing.hint}>
            <div className="mt-4">
              <StartButtons course={report.course} due={0} openSession={null} />
            </div>
          </Empty>
        </div>
      )}
    </>
  );
}
