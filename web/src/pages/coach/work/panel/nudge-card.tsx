/** A word from the observer: what it saw, and what one can do about it. */

import { Lightbulb } from "lucide-react";
import type { ReactNode } from "react";

import { coachStrings } from "../../../../strings-coach";
import { Marked } from "../../../../ui/marked";
import { useCoachActions } from "../../state/actions";
import { type Nudge, useCoachSession } from "../../state/session";
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

export function nudgeWords({ signal }: Nudge): string {
  return text.signals[signal] ?? text.otherSignal(signal);
}
