/** A word from the observer: what it saw, and what one can do about it. */

import { Lightbulb } from "lucide-react";
import { type ReactNode, useEffect, useState } from "react";

import { Marked } from "../../../ui/marked";
import { useCoachActions } from "../state/actions";
import { type Nudge, useCoachSession } from "../state/session";
import { useQuestions } from "../state/stores";
import { coachStrings } from "../strings";
import { SmallButton } from "./panel-section";

const text = coachStrings.observer;

export function NudgeCard(): ReactNode {
  const nudge = useCoachSession((session) => session.nudge);
  const { mute, openFile } = useCoachActions();
  if (nudge === null) return null;
  const { expected_file: expected, current_file: current, time_in_file: time, phase_description: phase } = nudge.context;
  const dismiss = (): void => {
    useCoachSession.setState({ nudge: null });
  };
  return (
    <section aria-label={text.nudge} className="border-b-2 border-chalk bg-[color-mix(in_srgb,var(--chalk)_18%,var(--card))] px-4 py-3">
      <div className="flex gap-2.5">
        <Lightbulb aria-hidden className="mt-1 size-5 shrink-0 text-warn" />
        <div className="min-w-0">
          <p className="font-semibold">{nudgeWords(nudge)}</p>
          {current !== null && <Marked className="block text-base" text={text.inFile(current, time)} />}
          {expected !== null && <Marked className="block text-base" text={text.expected(expected)} />}
          {phase !== null && <p className="text-base">{phase}</p>}
        </div>
      </div>
      <div className="mt-2 flex flex-wrap gap-2">
        {expected !== null && (
          <SmallButton
            className="min-w-0 [overflow-wrap:anywhere]"
            onClick={() => {
              openFile(expected);
              dismiss();
            }}
          >
            {text.open(expected)}
          </SmallButton>
        )}
        <SmallButton onClick={dismiss}>{text.dismiss}</SmallButton>
        <SmallButton
          onClick={() => {
            mute(true);
          }}
        >
          {text.mute}
        </SmallButton>
      </div>
    </section>
  );
}

function nudgeWords({ signal }: Nudge): string {
  return text.signals[signal] ?? text.otherSignal(signal);
}

const announcerText = coachStrings;

/** Tells screen readers what is new: messages, nudges, answers, a phase that begins. */
export function Announcer(): ReactNode {
  const [said, setSaid] = useState("");
  useEffect(() => {
    const stops = [
      useCoachSession.subscribe((now, before) => {
        const last = now.said.at(-1);
        if (last !== undefined && last.id !== before.said.at(-1)?.id && now.said.length >= before.said.length) {
          setSaid(announcerText.messages.said(last.text));
        }
        if (now.nudge !== null && now.nudge !== before.nudge) setSaid(`${announcerText.observer.nudge}: ${nudgeWords(now.nudge)}`);
        const active = now.phases.find(({ status }) => status === "active");
        const earlier = before.phases.find(({ status }) => status === "active");
        if (active !== undefined && before.phases.length > 0 && active.number !== earlier?.number) {
          setSaid(`${announcerText.phases.number(active.number)}: ${active.title}`);
        }
      }),
      useQuestions.subscribe((now, before) => {
        if (now.explanation !== before.explanation && now.explanation.state === "answered") {
          setSaid(`${announcerText.questions.explain}: ${now.explanation.answer.explanation}`);
        }
        if (now.review !== before.review && now.review.state === "answered") {
          setSaid(`${announcerText.questions.review}: ${now.review.answer.feedback}`);
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
