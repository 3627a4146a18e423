/** The end of a session: what it came to, and what comes next. */

import { Award, CalendarDays } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";
import { Link } from "wouter";

import { useUndo } from "../../../api/study-cache";
import { coursePath, STUDY_PATHS } from "../../../routes";
import { studyStrings } from "../../../strings-study";
import { sessionStrings } from "../../../strings-study-session";
import { notify, notifyError } from "../../../toasts/toasts";
import { Button, buttonClass } from "../../../ui/button";
import type { StudyDone, StudyStep, StudySummary } from "../../../wire/generated";
import { Said } from "./said";

const text = sessionStrings.summary;

export function Summary({ step, onAgain }: { step: StudyStep; onAgain: () => void }): ReactNode {
  const { summary } = step;
  const last = summary?.exercises.at(-1);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section aria-labelledby="study-summary" className="study-arrive rounded-2xl border border-line bg-card px-5 py-6 shadow-xs sm:px-8 sm:py-8">
      <h2 ref={heading} tabIndex={-1} id="study-summary" className="flex items-center gap-3 text-2xl outline-none">
        <Award aria-hidden className="size-8 shrink-0 text-door-ink" />
        {step.kind === "quiz" ? text.quiz : text.heading}
      </h2>
      {summary !== null && <Figures summary={summary} />}
      {summary !== null && <Said says={summary.says} className="mt-5 text-lg" />}
      {summary !== null && summary.exercises.length > 0 && <Exercises step={step} exercises={summary.exercises} />}
      <Next step={step} />
      <div className="mt-8 flex flex-wrap gap-2">
        <Link href={STUDY_PATHS.today} className={`${buttonClass("primary")} min-h-12 px-6`}>
          {sessionStrings.toStudy}
        </Link>
        <Button look="quiet" className="min-h-12" onClick={onAgain}>
          {text.again}
        </Button>
        <Link href={coursePath("progress", step.course)} className={`${buttonClass("quiet")} min-h-12`}>
          {text.progress}
        </Link>
        {last !== undefined && <UndoButton course={step.course} change={last.changeId} />}
      </div>
    </section>
  );
}

function Figures({ summary }: { summary: StudySummary }): ReactNode {
  const count = summary.exercises.length;
  const figures = [
    { value: summary.share === null ? null : `${Math.round(summary.share * 100)} %`, name: text.share },
    { value: String(count), name: text.exercises(count) },
    { value: String(summary.unaided), name: text.unaided },
    { value: String(Math.round(summary.minutes)), name: text.minutes },
  ];
  if (count === 0) return null;
  return (
    <dl className="mt-5 grid grid-cols-2 gap-3 sm:grid-cols-4">
      {figures.map(
        ({ value, name }) =>
          value !== null && (
            <div key={name} className="flex flex-col-reverse rounded-xl bg-cover/60 px-4 py-3 text-center">
              <dt className="text-base">{name}</dt>
              <dd className="font-heading text-2xl font-semibold tabular-nums">{value}</dd>
            </div>
          ),
      )}
    </dl>
  );
}

function Exercises({ step, exercises }: { step: StudyStep; exercises: readonly StudyDone[] }): ReactNode {
  return (
    <details className="mt-5">
      <summary className="min-h-8 cursor-pointer font-semibold">{text.table}</summary>
      <ul className="mt-2 divide-y divide-rule border-y border-rule">
        {exercises.map((done) => (
          <li key={done.exerciseId} className="flex flex-wrap items-baseline gap-x-3 py-2">
            <span className="mr-auto font-semibold">{step.concepts[done.concept] ?? done.concept}</span>
            <span className="text-base text-ink-soft">
              {[studyStrings.modalities[done.modality], helpOf(done), done.due !== null && `${text.columns.due} ${text.day(done.due)}`]
                .filter(Boolean)
                .join(" · ")}
            </span>
            <span className="w-14 text-right tabular-nums">{Math.round(done.share * 100)} %</span>
          </li>
        ))}
      </ul>
    </details>
  );
}

function helpOf({ answerShown, hintsUsed }: StudyDone): string | false {
  if (answerShown) return text.answerShown;
  return hintsUsed > 0 && text.hints(hintsUsed);
}

function Next({ step: { next, concepts } }: { step: StudyStep }): ReactNode {
  if (next === null) return null;
  const lines = [
    next.dueTomorrow > 0 && text.dueTomorrow(next.dueTomorrow),
    next.dueThisWeek > 0 && text.dueWeek(next.dueThisWeek),
    next.nextNew.length > 0 && text.nextNew(next.nextNew.map((id) => concepts[id] ?? id).join(", ")),
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return (
    <div className="mt-6 flex gap-3 rounded-xl border border-line bg-paper px-5 py-4">
      <CalendarDays aria-hidden className="mt-0.5 size-5 shrink-0 text-door-ink" />
      <div>
        <h3 className="text-lg">{text.next}</h3>
        <ul>
          {lines.map((line) => (
            <li key={line}>{line}</li>
          ))}
        </ul>
      </div>
    </div>
  );
}

function UndoButton({ course, change }: { course: string; change: string }): ReactNode {
  const undo = useUndo(course);
  return (
    <Button
      look="quiet"
      className="min-h-12"
      disabled={undo.isPending || undo.isSuccess}
      onClick={() => {
        undo.mutate(change, {
          onSuccess: ({ title }) => {
            notify(text.undone(title));
          },
          onError: (error) => {
            notifyError(text.undoFailed, error);
          },
        });
      }}
    >
      {text.undo}
    </Button>
  );
}
