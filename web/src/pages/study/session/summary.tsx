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
import { Figures } from "../../../ui/figures";
import { More } from "../../../ui/more";
import type { StudyDone, StudyStep, StudySummary } from "../../../wire/generated";
import { Said } from "./said";
import { Sheet } from "./sheet";

const text = sessionStrings.summary;

export function Summary({ step, onAgain }: { step: StudyStep; onAgain: () => void }): ReactNode {
  const { summary } = step;
  const last = summary?.exercises.at(-1);
  const heading = useRef<HTMLHeadingElement>(null);
  useEffect(() => {
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Sheet aria-labelledby="study-summary">
      <h2 ref={heading} tabIndex={-1} id="study-summary" className="flex items-center gap-3 text-2xl outline-none">
        <Award aria-hidden className="size-8 shrink-0 text-door-ink" />
        {step.kind === "quiz" ? text.quiz : text.heading}
      </h2>
      {summary !== null && <Numbers summary={summary} />}
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
    </Sheet>
  );
}

function Numbers({ summary }: { summary: StudySummary }): ReactNode {
  const count = summary.exercises.length;
  if (count === 0) return null;
  const figures = [
    ...(summary.share === null ? [] : [{ key: "share", name: text.share, value: `${Math.round(summary.share * 100)} %` }]),
    { key: "exercises", name: text.exercises(count), value: count },
    { key: "unaided", name: text.unaided, value: summary.unaided },
    { key: "minutes", name: text.minutes, value: Math.round(summary.minutes) },
  ];
  return <Figures columns={4} figures={figures} className="mt-5" />;
}

function Exercises({ step, exercises }: { step: StudyStep; exercises: readonly StudyDone[] }): ReactNode {
  return (
    <More words={text.table} className="mt-5">
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
    </More>
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
