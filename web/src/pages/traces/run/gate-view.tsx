/** A question to a person, and what was answered. */

import { type ReactNode, useId } from "react";

import { Fact, Facts } from "../../../ui/data/facts";
import { formatMoment } from "../../../ui/data/when";
import { Marked } from "../../../ui/marked";
import type { TraceGate } from "../../../wire/generated";
import { stepStrings } from "./strings";

const text = stepStrings.span;

export function GateView({ gate }: { gate: TraceGate }): ReactNode {
  return (
    <div className="mt-3">
      <p className="font-semibold">{gate.title}</p>
      {gate.text !== "" && <Marked className="mt-1 block max-h-80 overflow-y-auto whitespace-pre-wrap" text={gate.text} />}
      <div className="mt-2">
        <Facts>
          <Fact name={text.asked}>{formatMoment(gate.openedAt)}</Fact>
          <Fact name={text.answered}>{gate.answeredAt === null ? text.unanswered : formatMoment(gate.answeredAt)}</Fact>
          <Fact name={text.options}>{gate.options.join(", ")}</Fact>
        </Facts>
      </div>
      <ul className="mt-3 space-y-2 empty:hidden">
        {gate.answers.map(({ question, answer }, place) => (
          <li key={place} className="rounded border-l-4 border-l-warn bg-line/40 px-3 py-2">
            {question !== "" && <p className="text-base text-ink-soft">{question}</p>}
            <p className="whitespace-pre-wrap">{answer}</p>
          </li>
        ))}
      </ul>
      {gate.auto && <p className="mt-2 text-base text-ink-soft">{text.auto}</p>}
    </div>
  );
}

interface LettersProps {
  name: ReactNode;
  words: string;
  /** Set as code, not as text. */
  isCode?: boolean;
  note?: ReactNode;
}

/** Words letter for letter under a name; long ones scroll in their place, by the keyboard too. */
export function Letters({ name, words, isCode = true, note }: LettersProps): ReactNode {
  const id = useId();
  return (
    <div className="mt-4">
      <p id={id} className="font-semibold">
        {name}
      </p>
      <div
        // A box that scrolls has to be reached by the keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="group"
        aria-labelledby={id}
        className="mt-1 max-h-80 overflow-auto rounded bg-line/50 px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap"
      >
        {isCode ? <code className="text-[0.9em]">{words}</code> : words}
      </div>
      {note}
    </div>
  );
}
