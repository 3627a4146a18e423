/** Something new: the lesson, then one question about it. */

import { ArrowRight } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

import { sessionStrings as text } from "../../../strings-study-session";
import { Button } from "../../../ui/button";
import { AnswerText } from "./answer-text";
import { Frame } from "./frame";
import { useKeys } from "./keys";
import { StudyText } from "./study-text";
import type { Player } from "./use-session";

export function Lesson({ player }: { player: Player }): ReactNode {
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

export function Check({ player }: { player: Player }): ReactNode {
  return (
    <Frame player={player} label={text.checkLabel}>
      <p className="text-ink-soft">{text.checkHint}</p>
      <StudyText text={player.step.question ?? ""} className="mt-4 text-xl font-semibold" />
      <AnswerText player={player} />
    </Frame>
  );
}
