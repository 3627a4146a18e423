/** The ways into a session: going on first, then what is due, then anything. */

import { CirclePlay, Play, RotateCcw, Shuffle } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { coursePath } from "../../../routes";
import { coursesStrings } from "../../../strings-study-courses";
import { Button, buttonClass } from "../../../ui/button";
import type { StudyOpenSession } from "../../../wire/generated";
import { useBeginSession } from "./start";

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
