/** Today: what to do now, first; the courses; the last two weeks. */

import { Flame } from "lucide-react";
import type { ReactNode } from "react";

import { useToday } from "../../../api/study-cache";
import { studyStrings } from "../../../strings-study";
import { Answered } from "../../../ui/answered";
import { Mark } from "../../../ui/badge";
import { Section } from "../../../ui/section";
import { SkeletonRows } from "../../../ui/skeleton";
import type { StudyToday } from "../../../wire/generated";
import { Problems } from "../problems";
import { StudyFrame } from "../study-frame";
import { CourseCard } from "./course-card";
import { HowItWorks } from "./how-it-works";
import { OpenSession } from "./open-session";
import { TwoWeeks } from "./two-weeks";

import "../study.css";

const text = studyStrings.today;

export default function TodayPage(): ReactNode {
  const found = useToday();
  const today = found.data;
  return (
    <StudyFrame
      here="today"
      heading={studyStrings.titles.today}
      lead={today === undefined ? text.loading : leadOf(today)}
      actions={
        today !== undefined &&
        today.streak > 0 && (
          <Mark tone="door" icon={Flame} className="text-lg">
            {text.streak(today.streak)}
          </Mark>
        )
      }
    >
      <Answered query={found} words={text} skeleton={<SkeletonRows className="mt-8" />}>
        {(data) => <Content today={data} />}
      </Answered>
    </StudyFrame>
  );
}

function leadOf({ courses, due }: StudyToday): string {
  if (!courses.some(({ begun }) => begun)) return text.fresh;
  return due > 0 ? text.due(due) : text.nothingDue;
}

function Content({ today }: { today: StudyToday }): ReactNode {
  const open = today.courses.filter(({ openSession }) => openSession !== null && !openSession.stale);
  // What is due comes first, then what was begun.
  const begun = today.courses.filter(({ begun: is }) => is).sort((one, other) => other.due - one.due);
  const others = today.courses.filter(({ begun: is }) => !is);
  return (
    <div className="mt-8 flex flex-col gap-10">
      {open.length > 0 && (
        <Shelf heading={text.goOnHeading}>
          {open.map((course) => (
            <OpenSession key={course.name} course={course} />
          ))}
        </Shelf>
      )}
      {begun.length > 0 && (
        <Shelf heading={text.coursesHeading}>
          {begun.map((course, place) => (
            <CourseCard key={course.name} course={course} isFirst={place === 0 && open.length === 0} />
          ))}
        </Shelf>
      )}
      {begun.length === 0 && <HowItWorks />}
      {begun.length > 0 && <TwoWeeks days={today.days} />}
      {others.length > 0 && (
        <Shelf heading={begun.length === 0 ? text.beginHeading : text.otherHeading}>
          {others.map((course) => (
            <CourseCard key={course.name} course={course} isFirst={false} />
          ))}
        </Shelf>
      )}
      <p className="text-base text-ink-soft">{today.local ? text.local : text.model(today.provider)}</p>
      <Problems problems={today.problems} />
    </div>
  );
}

function Shelf({ heading, children }: { heading: string; children: ReactNode }): ReactNode {
  return (
    <Section heading={heading} className="">
      <ul className="grid gap-5 lg:grid-cols-2">{children}</ul>
    </Section>
  );
}
