/** A session: one clear thing on screen, from the first recall to the summary. */

import "../study.css";

import { clsx } from "clsx";
import { ArrowRight, Award, CalendarDays, CirclePause, Play } from "lucide-react";
import { type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useSearchParams } from "wouter";

import { coursePath, STUDY_PATHS } from "../../../routes";
import { usePageTitle } from "../../../shell/page";
import { type PageKey, usePageKeys } from "../../../shell/shortcuts";
import { strings } from "../../../strings";
import { Button, buttonClass, More } from "../../../ui/button";
import { Answered } from "../../../ui/data/answered";
import { Figures } from "../../../ui/data/facts";
import { FormError } from "../../../ui/forms/field";
import { Skeleton } from "../../../ui/skeleton";
import { notify, notifyError } from "../../../ui/toasts";
import type { StudyDone, StudyStart, StudyStep, StudySummary } from "../../../wire/generated";
import { Problems } from "../frame";
import { useStart, useUndo } from "../hooks";
import { studyStrings } from "../strings";
import { AnswerText } from "./answers";
import { Exercise } from "./exercise";
import { Feedback } from "./feedback";
import { subjectOf } from "./flow";
import { Frame, Said, Sheet, StudyText } from "./frame";
import { type SessionKind, sessionStrings as text, sessionStrings } from "./strings";
import { type Player, useKeys, usePlayer, useStep } from "./use-session";

const keys = strings.shortcuts.study;
/** The parts of the session listen to them; here they are only listed. */
const KEYS: readonly PageKey[] = [
  { keys: ["Enter"], does: keys.goOn },
  { keys: ["1–4"], does: keys.rate },
  { keys: ["A–D"], does: keys.choose },
  { keys: ["H"], does: keys.hint },
];

export default function SessionPage({ course }: { course: string }): ReactNode {
  usePageKeys(keys.heading, KEYS);
  const found = useStep(course);
  const step = found.data;
  return (
    <div className="mx-auto max-w-3xl">
      <SessionHeader title={step?.courseTitle ?? course} step={step} />
      <Answered query={found} words={text} skeleton={<Skeleton className="h-96" />}>
        {(now) => <Session key={course} step={now} />}
      </Answered>
    </div>
  );
}

function Session({ step }: { step: StudyStep }): ReactNode {
  const player = usePlayer(step);
  const [again, setAgain] = useState<string | null>(null);
  return (
    <>
      <Content
        player={player}
        isAgain={again !== null && again === step.session}
        onAgain={() => {
          setAgain(step.session);
        }}
      />
      <Problems problems={step.problems} />
      <p role="status" className="sr-only">
        {player.isBusy ? text.judging : ""}
      </p>
    </>
  );
}

interface ContentProps {
  player: Player;
  isAgain: boolean;
  onAgain: () => void;
}

function Content({ player, isAgain, onAgain }: ContentProps): ReactNode {
  const { step, ended, goOn } = player;
  if (ended !== null) return <Feedback key={ended.after.step} ended={ended} goOn={goOn} />;
  if (isAgain) return <Start step={step} anew={false} />;
  const key = subjectOf(step);
  switch (step.stage) {
    case "teach":
      return <Lesson key={key} player={player} />;
    case "check":
      return <Check key={key} player={player} />;
    case "exercise":
      return step.exercise === null ? null : <Exercise key={key} player={player} exercise={step.exercise} />;
    case "over":
      return <Summary step={step} onAgain={onAgain} />;
    case "nothing":
      return <Start step={step} anew={false} />;
    case "ready":
      // Nobody sees it: the server makes the exercise before it answers.
      return null;
  }
}

const startText = sessionStrings.start;
const MINUTES = [10, 15, 25, 40, 60];
const KINDS: SessionKind[] = ["study", "review", "quiz"];

/** Before a session: what kind, how long, and one big button. */
function Start({ step, anew }: { step: StudyStep; anew: boolean }): ReactNode {
  const [address] = useSearchParams();
  const asked = KINDS.find((kind) => kind === address.get("kind"));
  const [kind, setKind] = useState<SessionKind>(asked ?? "study");
  const [minutes, setMinutes] = useState<number | null>(null);
  const start = useStart();
  const begin = (ahead: boolean) => (): void => {
    if (start.isPending) return;
    start.mutate({ course: step.course, kind, minutes, ahead, anew, ...quizOf(kind, address) });
  };
  useKeys({ enter: begin(false) });
  const isNothing = start.data?.stage === "nothing";
  return (
    <Sheet aria-labelledby="study-start">
      <h2 id="study-start" className="text-2xl">
        {isNothing ? startText.nothing : startText.heading}
      </h2>
      <div role="status">
        {isNothing ? <Said says={start.data?.says ?? []} className="mt-3 text-lg" /> : <p className="mt-2 max-w-prose text-lg text-ink-soft">{startText.lead}</p>}
      </div>
      <Kinds kind={kind} onChange={setKind} />
      <label className="mt-5 flex flex-wrap items-center gap-3 font-semibold">
        {startText.minutes}
        <select
          value={minutes ?? ""}
          onChange={(event) => {
            setMinutes(event.target.value === "" ? null : Number(event.target.value));
          }}
          className="min-h-11 rounded-md border border-edge bg-paper px-3 font-normal"
        >
          <option value="">{startText.usual}</option>
          {MINUTES.map((each) => (
            <option key={each} value={each}>
              {startText.minutesOption(each)}
            </option>
          ))}
        </select>
      </label>
      {start.isError && (
        <div className="mt-4">
          <FormError id="study-start-error" error={start.error} />
        </div>
      )}
      <div className="mt-7 flex flex-wrap gap-2">
        <Button className="min-h-13 px-8 text-lg" aria-keyshortcuts="Enter" aria-disabled={start.isPending} onClick={begin(isNothing)}>
          <Play aria-hidden className="size-5" />
          {start.isPending ? startText.beginning : isNothing ? startText.ahead : startText.begin}
        </Button>
      </div>
    </Sheet>
  );
}

function Kinds({ kind, onChange }: { kind: SessionKind; onChange: (kind: SessionKind) => void }): ReactNode {
  return (
    <fieldset className="mt-6">
      <legend className="font-semibold">{startText.kind}</legend>
      <div className="mt-2 grid gap-2 sm:grid-cols-3">
        {KINDS.map((each) => (
          <label
            key={each}
            htmlFor={`study-kind-${each}`}
            className="grid min-h-16 cursor-pointer grid-cols-[auto_1fr] content-center items-center gap-x-3 rounded-lg border-2 border-edge/60 px-4 py-2 has-checked:border-accent has-checked:bg-cover/60 has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-[var(--focus)]"
          >
            <input
              id={`study-kind-${each}`}
              type="radio"
              name="study-kind"
              checked={kind === each}
              className="size-4 shrink-0 accent-accent"
              onChange={() => {
                onChange(each);
              }}
            />
            <span className="font-semibold">{startText.kinds[each].name}</span>
            <span className="col-start-2 text-base text-ink-soft">{startText.kinds[each].hint}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}

/** A quiz about some concepts or a unit, when the link that led here named them. */
function quizOf(kind: SessionKind, address: URLSearchParams): Pick<StudyStart, "quiz"> {
  if (kind !== "quiz") return {};
  return { quiz: { concepts: address.getAll("concept"), unit: address.get("unit") ?? "" } };
}

// Where in the session somebody is: the course, how far it is, how much time is left, a way out.

/** The heading stays the same element from the first moment, and so does the focus that a link put on it. */
function SessionHeader({ title, step }: { title: string; step: StudyStep | undefined }): ReactNode {
  usePageTitle(`${title} · ${studyStrings.titles.session}`);
  const isOpen = step !== undefined && step.stage !== "nothing" && step.stage !== "over";
  const item = isOpen ? step.item : null;
  return (
    <header className="mb-5">
      <div className="flex flex-wrap items-center gap-x-4 gap-y-1">
        <h1 tabIndex={-1} className="mr-auto text-xl sm:text-2xl">
          {title}
          {step !== undefined && step.kind !== "study" && (
            <span className="ml-2 rounded-full bg-cover px-2.5 py-0.5 align-middle font-sans text-base font-semibold text-door-ink">
              {text.kinds[step.kind]}
            </span>
          )}
        </h1>
        {isOpen && (
          <Link data-unprinted href={STUDY_PATHS.today} title={text.pauseHint} className={clsx(buttonClass("quiet"), "text-base")}>
            <CirclePause aria-hidden className="size-4" />
            {text.pause}
          </Link>
        )}
      </div>
      {isOpen && item !== null && (
        <div className="mt-2 flex items-center gap-3 text-base text-ink-soft">
          <Parts number={item.number} of={item.of} />
          <p className="shrink-0 tabular-nums">{text.minutesLeft(step.minutesLeft)}</p>
        </div>
      )}
    </header>
  );
}

function Parts({ number, of }: { number: number; of: number }): ReactNode {
  return (
    <div
      role="progressbar"
      aria-label={text.progress(number, of)}
      aria-valuemin={0}
      aria-valuemax={of}
      aria-valuenow={number - 1}
      aria-valuetext={text.progress(number, of)}
      title={text.progress(number, of)}
      className="flex flex-1 gap-1"
    >
      {Array.from({ length: of }, (_, place) => (
        <span
          key={place}
          className={clsx(
            "h-2 flex-1 rounded-full transition-colors",
            place < number - 1 && "bg-spine",
            place === number - 1 && "border border-spine bg-cover",
            place > number - 1 && "bg-line",
          )}
        />
      ))}
    </div>
  );
}

/** Something new: the lesson, then one question about it. */
function Lesson({ player }: { player: Player }): ReactNode {
  const { step, act, isBusy } = player;
  const goOn = (): void => {
    act({ act: "answer", done: true });
  };
  useKeys({ enter: goOn });
  const article = useRef<HTMLDivElement>(null);
  useEffect(() => {
    article.current?.focus({ preventScroll: true });
  }, []);
  return (
    <Frame player={player} label={text.lessonLabel}>
      <div ref={article} tabIndex={-1} className="max-w-prose text-lg outline-none">
        {(step.lesson ?? []).map((part, place) => (
          <StudyText key={place} text={part} deeper={1} className={place > 0 ? "mt-6" : ""} />
        ))}
      </div>
      <Button className="mt-8 min-h-12 px-6 text-lg" aria-keyshortcuts="Enter" aria-disabled={isBusy} onClick={goOn}>
        {text.understood}
        <ArrowRight aria-hidden className="size-5" />
      </Button>
    </Frame>
  );
}

function Check({ player }: { player: Player }): ReactNode {
  return (
    <Frame player={player} label={text.checkLabel}>
      <p className="text-ink-soft">{text.checkHint}</p>
      <StudyText text={player.step.question ?? ""} className="mt-4 text-xl font-semibold" />
      <AnswerText player={player} />
    </Frame>
  );
}

const summaryText = sessionStrings.summary;

/** The end of a session: what it came to, and what comes next. */
function Summary({ step, onAgain }: { step: StudyStep; onAgain: () => void }): ReactNode {
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
        {step.kind === "quiz" ? summaryText.quiz : summaryText.heading}
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
          {summaryText.again}
        </Button>
        <Link href={coursePath("progress", step.course)} className={`${buttonClass("quiet")} min-h-12`}>
          {summaryText.progress}
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
    ...(summary.share === null ? [] : [{ key: "share", name: summaryText.share, value: `${Math.round(summary.share * 100)} %` }]),
    { key: "exercises", name: summaryText.exercises(count), value: count },
    { key: "unaided", name: summaryText.unaided, value: summary.unaided },
    { key: "minutes", name: summaryText.minutes, value: Math.round(summary.minutes) },
  ];
  return <Figures columns={4} figures={figures} className="mt-5" />;
}

function Exercises({ step, exercises }: { step: StudyStep; exercises: readonly StudyDone[] }): ReactNode {
  return (
    <More words={summaryText.table} className="mt-5">
      <ul className="mt-2 divide-y divide-rule border-y border-rule">
        {exercises.map((done) => (
          <li key={done.exerciseId} className="flex flex-wrap items-baseline gap-x-3 py-2">
            <span className="mr-auto font-semibold">{step.concepts[done.concept] ?? done.concept}</span>
            <span className="text-base text-ink-soft">
              {[studyStrings.modalities[done.modality], helpOf(done), done.due !== null && `${summaryText.columns.due} ${summaryText.day(done.due)}`]
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
  if (answerShown) return summaryText.answerShown;
  return hintsUsed > 0 && summaryText.hints(hintsUsed);
}

function Next({ step: { next, concepts } }: { step: StudyStep }): ReactNode {
  if (next === null) return null;
  const lines = [
    next.dueTomorrow > 0 && summaryText.dueTomorrow(next.dueTomorrow),
    next.dueThisWeek > 0 && summaryText.dueWeek(next.dueThisWeek),
    next.nextNew.length > 0 && summaryText.nextNew(next.nextNew.map((id) => concepts[id] ?? id).join(", ")),
  ].filter((line) => line !== false);
  if (lines.length === 0) return null;
  return (
    <div className="mt-6 flex gap-3 rounded-xl border border-line bg-paper px-5 py-4">
      <CalendarDays aria-hidden className="mt-0.5 size-5 shrink-0 text-door-ink" />
      <div>
        <h3 className="text-lg">{summaryText.next}</h3>
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
            notify(summaryText.undone(title));
          },
          onError: (error) => {
            notifyError(summaryText.undoFailed, error);
          },
        });
      }}
    >
      {summaryText.undo}
    </Button>
  );
}
