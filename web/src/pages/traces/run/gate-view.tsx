/** A question to a person, and what was answered. */

import type { ReactNode } from "react";

import { stepStrings } from "../../../strings-trace-steps";
import { Fact, Facts } from "../../../ui/facts";
import { Marked } from "../../../ui/marked";
import { formatMoment } from "../../../ui/when";
import type { TraceGate } from "../../../wire/generated";

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
