/** How the pages of Study begin: the cover, and the ways between them. */

import { CirclePlay, GraduationCap, Play, RotateCcw, Shuffle } from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link, useLocation } from "wouter";

import { coursePath, STUDY_PATHS } from "../../routes";
import { Button, buttonClass } from "../../ui/button";
import { ShowMore } from "../../ui/data/answered";
import { DoorFrame } from "../../ui/door-frame";
import { Marked } from "../../ui/marked";
import { Notice } from "../../ui/section";
import { notifyError } from "../../ui/toasts";
import type { StudyConcept, StudyOpenSession, StudyProblem, StudyStart } from "../../wire/generated";
import { useStart } from "./hooks";
import { coursesStrings } from "./strings-courses";

const text = coursesStrings.nav;

interface StudyFrameProps {
  here: "today" | "courses" | "settings" | "course" | "progress";
  /** The course that the page is about. */
  course?: string;
  heading: string;
  title?: string;
  lead?: ReactNode;
  about?: ReactNode;
  actions?: ReactNode;
  children: ReactNode;
}

export function StudyFrame({ here, course, children, ...frame }: StudyFrameProps): ReactNode {
  const ofCourse =
    course === undefined
      ? []
      : (["course", "progress"] as const).map((page) => ({ page, name: text[page], href: coursePath(page, course) }));
  const ways = [
    ...(["today", "courses"] as const).map((page) => ({ page, name: text[page], href: STUDY_PATHS[page] })),
    ...ofCourse,
    { page: "settings" as const, name: text.settings, href: STUDY_PATHS.settings },
  ];
  const current = ways.find(({ page }) => page === here)?.href ?? null;
  return (
    <DoorFrame door="study" icon={GraduationCap} isSmall={here !== "today"} {...frame} ways={{ label: text.label, ways, here: current }}>
      {children}
    </DoorFrame>
  );
}

const problemText = coursesStrings.problem;
const FIRST = 5;

interface ProblemsProps {
  problems: readonly StudyProblem[];
  heading?: string;
  hint?: string;
  children?: ReactNode;
}

/** What is wrong in files: where, what, and what to do about it. */
export function Problems({ problems, heading, hint = problemText.hint, children }: ProblemsProps): ReactNode {
  const [isWhole, setIsWhole] = useState(false);
  if (problems.length === 0) return null;
  const shown = isWhole ? problems : problems.slice(0, FIRST);
  return (
    <Notice tone="warn" title={heading ?? problemText.heading(problems.length)} className="mt-6 max-w-3xl">
      <p className="text-base text-ink-soft">{hint}</p>
      <ul className="mt-3 flex flex-col gap-3">
        {shown.map((problem, place) => (
          <li key={place}>
            <p className="text-base break-words">
              <code className="rounded bg-line px-1 py-0.5">{problem.file}</code>
              <span className="text-ink-soft"> {problemText.line(problem.line)}</span>
            </p>
            <Marked className="block" text={problem.message} />
            <Marked className="block text-ink-soft" text={problem.fix} />
          </li>
        ))}
      </ul>
      {shown.length < problems.length && (
        <ShowMore
          words={problemText.more(problems.length - shown.length)}
          isBusy={false}
          onMore={() => {
            setIsWhole(true);
          }}
        />
      )}
      {children}
    </Notice>
  );
}

// The ways into a session: going on first, then what is due, then anything.

const startText = coursesStrings.start;

interface StartButtonsProps {
  course: string;
  due: number;
  openSession: StudyOpenSession | null;
  /** Whether there is something that a quiz could ask for. */
  canQuiz?: boolean;
}

export function StartButtons({ course, due, openSession, canQuiz = false }: StartButtonsProps): ReactNode {
  const { begin, isStarting } = useBeginSession(course);
  const isOpen = openSession !== null && !openSession.stale;
  return (
    <div className="flex flex-wrap gap-3">
      {isOpen ? (
        <Link href={coursePath("session", course)} className={buttonClass("primary")}>
          <CirclePlay aria-hidden className="size-5" />
          {startText.goOn}
        </Link>
      ) : (
        <Button onClick={() => {
            begin({ kind: "study" });
          }} aria-disabled={isStarting}>
          <Play aria-hidden className="size-4" />
          {isStarting ? startText.starting : startText.study}
        </Button>
      )}
      {due > 0 && !isOpen && (
        <Button look="quiet" onClick={() => {
            begin({ kind: "review" });
          }} aria-disabled={isStarting}>
          <RotateCcw aria-hidden className="size-4" />
          {startText.review(due)}
        </Button>
      )}
      {canQuiz && !isOpen && (
        <Button look="quiet" onClick={() => {
            begin({ kind: "quiz" });
          }} aria-disabled={isStarting}>
          <Shuffle aria-hidden className="size-4" />
          {startText.quiz}
        </Button>
      )}
    </div>
  );
}

type Wish = Omit<StudyStart, "course">;

/** Begins a session, and goes to it. */
export function useBeginSession(course: string): { begin: (wish: Wish) => void; isStarting: boolean } {
  const start = useStart();
  const [, go] = useLocation();
  return {
    isStarting: start.isPending,
    begin: (wish) => {
      if (start.isPending) return;
      start.mutate(
        { ...wish, course },
        {
          onSuccess: () => {
            go(coursePath("session", course));
          },
          onError: (error) => {
            notifyError(coursesStrings.start.failed, error);
          },
        },
      );
    },
  };
}

// The sign of a status. Each has a shape of its own, so that nobody has to tell colours apart.

export function StatusMark({ look }: { look: Look }): ReactNode {
  return (
    <svg aria-hidden viewBox="0 0 16 16" className="size-4 shrink-0">
      {SHAPES[look]}
    </svg>
  );
}

const SHAPES: Record<Look, ReactNode> = {
  new: <circle cx="8" cy="8" r="6" fill="none" className="stroke-ink-soft" strokeWidth="1.75" strokeDasharray="2.2 2.5" />,
  ready: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" className="stroke-accent" strokeWidth="1.75" />
      <path d="M8 5v6M5 8h6" className="stroke-accent" strokeWidth="1.75" />
    </>
  ),
  learning: (
    <>
      <circle cx="8" cy="8" r="6.25" fill="none" className="stroke-warn" strokeWidth="1.75" />
      <path d="M8 1.75a6.25 6.25 0 0 1 0 12.5z" className="fill-warn" />
    </>
  ),
  relearning: (
    <>
      <path d="M8 1.5 15 14H1z" fill="none" className="stroke-fail" strokeWidth="1.75" strokeLinejoin="round" />
      <path d="M8 6v4M8 11.25v1.25" className="stroke-fail" strokeWidth="1.75" />
    </>
  ),
  review: <circle cx="8" cy="8" r="7" className="fill-door-ink" />,
  mastered: (
    <path
      d="M8 .8l2.2 4.6 5 .7-3.6 3.5.9 5L8 12.2l-4.5 2.4.9-5L.8 6.1l5-.7z"
      className="fill-door-ink stroke-door-ink"
      strokeWidth="0.8"
      strokeLinejoin="round"
    />
  ),
};

// How far a concept is, as it is shown: one sign, one colour, one word for each.

type Look = StudyConcept["status"] | "ready";

export const LOOKS: readonly Look[] = ["new", "ready", "learning", "relearning", "review", "mastered"];

export function lookOf({ status, ready }: Pick<StudyConcept, "status" | "ready">): Look {
  return status === "new" && ready ? "ready" : status;
}

/** The frame of a concept on the map. */
export const FRAMES: Record<Look, string> = {
  new: "border-dashed border-edge",
  ready: "border-solid border-accent",
  learning: "border-solid border-edge",
  relearning: "border-solid border-fail",
  review: "border-solid border-edge",
  mastered: "border-solid border-spine bg-cover",
};

/** The concept that is shown first: what is due, what can be begun, or simply the first. */
export function firstToShow(concepts: readonly StudyConcept[], now: Date): string | null {
  const due = concepts.find((each) => isDue(each, now));
  const ready = concepts.find((each) => lookOf(each) === "ready");
  return (due ?? ready ?? concepts[0])?.id ?? null;
}

export function isDue({ due }: Pick<StudyConcept, "due">, now: Date): boolean {
  return due !== null && daysUntil(due, now) === 0;
}

/** Days until something comes back, as people count them; none when it waits already or comes today. */
export function daysUntil(due: string, now: Date): number {
  const [from, to] = [midnight(now), midnight(new Date(due))];
  return Math.max(0, Math.round((to - from) / 86_400_000));
}

function midnight(moment: Date): number {
  return new Date(moment.getFullYear(), moment.getMonth(), moment.getDate()).getTime();
}
