/** Today: what to do now, first; the courses; the last two weeks. */

import { Flame, GraduationCap, LibraryBig, Settings } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { useToday } from "../../../api/study-cache";
import { usePageTitle } from "../../../layout/page";
import { STUDY_PATHS } from "../../../routes";
import { studyStrings } from "../../../strings-study";
import { buttonClass } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { StudyToday } from "../../../wire/generated";
import { Problems } from "../session/problems";
import { CourseCard } from "./course-card";
import { HowItWorks } from "./how-it-works";
import { OpenSession } from "./open-session";
import { TwoWeeks } from "./two-weeks";

import "../study.css";

const text = studyStrings.today;

export default function TodayPage(): ReactNode {
  usePageTitle(studyStrings.titles.today);
  const found = useToday();
  return (
    <>
      <Cover today={found.data} />
      {found.data !== undefined && <Content today={found.data} />}
      {found.data === undefined && found.isError && <QueryError title={text.failed} query={found} />}
      {found.isPending && (
        <Loading label={text.loading}>
          <div className="mt-8 grid gap-5 lg:grid-cols-2">
            <Skeleton className="h-56" />
            <Skeleton className="h-56" />
          </div>
        </Loading>
      )}
    </>
  );
}

function Cover({ today }: { today: StudyToday | undefined }): ReactNode {
  return (
    <div className="cover flex flex-wrap items-center gap-x-6 gap-y-4 py-5 pr-5 pl-9 sm:py-7 sm:pr-8 sm:pl-14">
      <div className="label flex min-h-22 flex-1 items-center gap-4 px-6 py-4 max-sm:basis-full">
        <GraduationCap aria-hidden className="size-8 shrink-0 text-door-ink" />
        <div>
          <h1 tabIndex={-1} className="text-3xl">
            {studyStrings.titles.today}
          </h1>
          <p className="text-ink-soft">{today === undefined ? text.loading : leadOf(today)}</p>
        </div>
      </div>
      {today !== undefined && today.streak > 0 && (
        <p className="flex items-center gap-2 text-lg font-semibold text-door-ink">
          <Flame aria-hidden className="size-6" />
          {text.streak(today.streak)}
        </p>
      )}
      <div className="flex flex-wrap gap-2">
        <Link href={STUDY_PATHS.courses} className={buttonClass("quiet")}>
          <LibraryBig aria-hidden className="size-4" />
          {text.browse}
        </Link>
        <Link href={STUDY_PATHS.settings} className={buttonClass("quiet")}>
          <Settings aria-hidden className="size-4" />
          {text.settings}
        </Link>
      </div>
    </div>
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
        <Section heading={text.goOnHeading}>
          {open.map((course) => (
            <OpenSession key={course.name} course={course} />
          ))}
        </Section>
      )}
      {begun.length > 0 && (
        <Section heading={text.coursesHeading}>
          {begun.map((course, place) => (
            <CourseCard key={course.name} course={course} isFirst={place === 0 && open.length === 0} />
          ))}
        </Section>
      )}
      {begun.length === 0 && <HowItWorks />}
      {begun.length > 0 && <TwoWeeks days={today.days} />}
      {others.length > 0 && (
        <Section heading={begun.length === 0 ? text.beginHeading : text.otherHeading}>
          {others.map((course) => (
            <CourseCard key={course.name} course={course} isFirst={false} />
          ))}
        </Section>
      )}
      <p className="text-base text-ink-soft">{today.local ? text.local : text.model(today.provider)}</p>
      <Problems problems={today.problems} />
    </div>
  );
}

function Section({ heading, children }: { heading: string; children: ReactNode }): ReactNode {
  return (
    <section>
      <h2 className="text-2xl">{heading}</h2>
      <ul className="mt-4 grid gap-5 lg:grid-cols-2">{children}</ul>
    </section>
  );
}
