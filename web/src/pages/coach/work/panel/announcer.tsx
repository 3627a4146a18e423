/** Tells screen readers what is new: messages, nudges, answers, a phase that begins. */

import { type ReactNode, useEffect, useState } from "react";

import { coachStrings } from "../../../../strings-coach";
import { useQuestions } from "../../state/questions";
import { useCoachSession } from "../../state/session";
import { nudgeWords } from "./nudge-card";

const text = coachStrings;

export function Announcer(): ReactNode {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const stops = [
      useCoachSession.subscribe((now, before) => {
        const last = now.said.at(-1);
        if (last !== undefined && last.id !== before.said.at(-1)?.id && now.said.length >= before.said.length) {
          setSaid(text.messages.said(last.text));
        }
        if (now.nudge !== null && now.nudge !== before.nudge) setSaid(`${text.observer.nudge}: ${nudgeWords(now.nudge)}`);
        const active = now.phases.find(({ status }) => status === "active");
        const earlier = before.phases.find(({ status }) => status === "active");
        if (active !== undefined && before.phases.length > 0 && active.number !== earlier?.number) {
          setSaid(`${text.phases.number(active.number)}: ${active.title}`);
        }
      }),
      useQuestions.subscribe((now, before) => {
        if (now.explanation !== before.explanation && now.explanation.state === "answered") {
          setSaid(`${text.questions.explain}: ${now.explanation.answer.explanation}`);
        }
        if (now.review !== before.review && now.review.state === "answered") {
          setSaid(`${text.questions.review}: ${now.review.answer.feedback}`);
        }
      }),
    ];
    return () => {
      for (const stop of stops) stop();
    };
  }, []);
  return (
    <p role="status" aria-live="polite" className="sr-only">
      {said}
    </p>
  );
}
