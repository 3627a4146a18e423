/** Today: what to do now, first; the courses; the last two weeks. */

import "./study.css";

import { ArrowRight, ChartSpline, Flame, Map as MapIcon, Play } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";

import { coursePath } from "../../routes";
import { Button, buttonClass } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { Mark } from "../../ui/data/facts";
import { wholeTicks } from "../../ui/plots/scales";
import { StackedPlot } from "../../ui/plots/stacked-plot";
import { Section } from "../../ui/section";
import { SkeletonRows } from "../../ui/skeleton";
import { notifyError } from "../../ui/toasts";
import type { StudyCourseSummary, StudyDay, StudyToday } from "../../wire/generated";
import { Problems, StudyFrame } from "./frame";
import { useStart, useToday } from "./hooks";
import { sessionStrings } from "./session/strings";
import { studyStrings } from "./strings";

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

/** A session that waits: one click, and it goes on where it was. */
function OpenSession({ course }: { course: StudyCourseSummary }): ReactNode {
  const { openSession: open, title, name } = course;
  if (open === null) return null;
  const facts = [
    text.open(sessionStrings.kinds[open.kind], open.done, open.of),
    open.modality !== null && studyStrings.modalities[open.modality],
    text.minutesLeft(open.minutesLeft),
  ];
  return (
    <li className="flex flex-col rounded-2xl border-2 border-spine bg-card p-5 shadow-xs sm:p-6">
      <h3 className="text-xl">{title}</h3>
      <p className="mt-1 text-lg">{text.openAt(open.title)}</p>
      <p className="text-ink-soft">{facts.filter(Boolean).join(" · ")}</p>
      <div aria-hidden className="mt-3 h-2 overflow-hidden rounded-full bg-line">
        <div className="h-full rounded-full bg-spine" style={{ width: `${(open.done / Math.max(open.of, 1)) * 100}%` }} />
      </div>
      <div className="mt-5">
        <Link href={coursePath("session", name)} className={`${buttonClass("primary")} min-h-12 px-6 text-lg`}>
          {text.goOn}
          <span className="sr-only">{text.about(title)}</span>
          <ArrowRight aria-hidden className="size-5" />
        </Link>
      </div>
    </li>
  );
}

interface CourseCardProps {
  course: StudyCourseSummary;
  /** The one to start with: its button stands out. */
  isFirst: boolean;
}

/** A course on the Today page: what waits in it, and the button to start. */
function CourseCard({ course, isFirst }: CourseCardProps): ReactNode {
  const { name, title, description, begun, concepts, mastered, exam } = course;
  const { begin, isStarting } = useBegin(name);
  const isOpen = course.openSession !== null && !course.openSession.stale;
  return (
    <li className="flex flex-col rounded-2xl border border-line bg-card p-5 shadow-xs sm:p-6">
      <h3 className="text-xl">
        <Link href={coursePath("course", name)} className="hover:underline">
          {title}
        </Link>
      </h3>
      {description !== "" && <p className="mt-1 text-ink-soft">{description}</p>}
      <p className="mt-3 font-semibold text-door-ink">{begun ? text.facts(course) : text.size(concepts, course.items)}</p>
      {begun && (
        <div aria-hidden className="mt-2 h-2 overflow-hidden rounded-full bg-line">
          <div className="h-full rounded-full bg-spine" style={{ width: `${(mastered / Math.max(concepts, 1)) * 100}%` }} />
        </div>
      )}
      {exam !== null && <p className="mt-2 text-base text-ink-soft">{text.exam(exam)}</p>}
      <div className="mt-auto flex flex-wrap items-center gap-2 pt-5">
        {!isOpen && (
          <Button
            look={isFirst || !begun ? "primary" : "quiet"}
            className="min-h-12 px-5"
            aria-disabled={isStarting}
            onClick={begin}
          >
            <Play aria-hidden className="size-4" />
            {isStarting ? text.starting : text.start(course.minutes)}
            <span className="sr-only">{text.about(title)}</span>
          </Button>
        )}
        {begun && (
          <Link href={coursePath("progress", name)} className={buttonClass("quiet")}>
            <ChartSpline aria-hidden className="size-4" />
            {text.progress}
            <span className="sr-only">{text.about(title)}</span>
          </Link>
        )}
        <Link href={coursePath("course", name)} className={buttonClass("quiet")}>
          <MapIcon aria-hidden className="size-4" />
          {text.details}
          <span className="sr-only">{text.about(title)}</span>
        </Link>
        {begun && (
          <Link href={`${coursePath("session", name)}?kind=review`} className="px-1 font-semibold text-accent underline underline-offset-4">
            {text.review}
            <span className="sr-only">{text.about(title)}</span>
          </Link>
        )}
      </div>
    </li>
  );
}

/** Starting a session from another page: plan it, then show it. */
function useBegin(course: string): { begin: () => void; isStarting: boolean } {
  const start = useStart();
  const [, navigate] = useLocation();
  return {
    isStarting: start.isPending,
    begin: () => {
      if (start.isPending) return;
      start.mutate(
        { course },
        {
          onSuccess: () => {
            navigate(coursePath("session", course));
          },
          onError: (error) => {
            notifyError(studyStrings.today.startFailed, error);
          },
        },
      );
    },
  };
}

/** For whoever comes first: what a session is, in three steps. */
function HowItWorks(): ReactNode {
  return (
    <Section heading={text.howHeading} className="">
      <ol className="grid gap-5 sm:grid-cols-3">
        {text.how.map(({ title, text: words }, place) => (
          <li key={title} className="border-t-4 border-spine pt-3">
            <p className="font-heading text-lg font-semibold">
              <span aria-hidden className="mr-2 text-door-ink">
                {place + 1}
              </span>
              {title}
            </p>
            <p className="mt-1 text-ink-soft">{words}</p>
          </li>
        ))}
      </ol>
    </Section>
  );
}

/** So that a day of five minutes does not look like a day of work. */
const LEAST_FULL = 25;

/** The minutes of the last two weeks as bars, with the numbers behind them as a table. */
function TwoWeeks({ days }: { days: readonly StudyDay[] }): ReactNode {
  const minutes = days.reduce((sum, day) => sum + day.minutes, 0);
  const exercises = days.reduce((sum, day) => sum + day.exercises, 0);
  const exercisesOn = new Map(days.map((day) => [day.day, day.exercises]));
  return (
    <Section heading={text.weeks} className="max-w-3xl">
      <StackedPlot
        name={text.weeks}
        summary={text.weeksTotal(minutes, exercises)}
        parts={[{ key: "minutes", name: text.minutesColumn, fill: "fill-spine" }]}
        days={days.map((day) => ({ day: day.day, values: { minutes: Math.round(day.minutes) } }))}
        ticks={(most) => wholeTicks(Math.max(most, LEAST_FULL), 3)}
        read={({ day, values }) => text.dayValue(text.dayName(day), values.minutes ?? 0, exercisesOn.get(day) ?? 0)}
        columns={[text.day, text.exercises, text.minutesColumn]}
        row={({ day, values }) => [String(exercisesOn.get(day) ?? 0), String(values.minutes ?? 0)]}
      />
    </Section>
  );
}
