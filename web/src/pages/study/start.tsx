/** The ways into a session: going on first, then what is due, then anything. */

import { CirclePlay, Play, RotateCcw, Shuffle } from "lucide-react";
import type { ReactNode } from "react";
import { Link, useLocation } from "wouter";

import { coursePath } from "../../routes";
import { Button, buttonClass } from "../../ui/button";
import { notifyError } from "../../ui/toasts";
import type { StudyOpenSession, StudyStart } from "../../wire/generated";
import { useStart } from "./hooks";
import { coursesStrings } from "./strings-courses";

const text = coursesStrings.start;

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
          {text.goOn}
        </Link>
      ) : (
        <Button onClick={() => {
            begin({ kind: "study" });
          }} aria-disabled={isStarting}>
          <Play aria-hidden className="size-4" />
          {isStarting ? text.starting : text.study}
        </Button>
      )}
      {due > 0 && !isOpen && (
        <Button look="quiet" onClick={() => {
            begin({ kind: "review" });
          }} aria-disabled={isStarting}>
          <RotateCcw aria-hidden className="size-4" />
          {text.review(due)}
        </Button>
      )}
      {canQuiz && !isOpen && (
        <Button look="quiet" onClick={() => {
            begin({ kind: "quiz" });
          }} aria-disabled={isStarting}>
          <Shuffle aria-hidden className="size-4" />
          {text.quiz}
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
