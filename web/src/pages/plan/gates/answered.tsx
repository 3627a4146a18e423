/** A question that was answered: its answer in one line, the rest folded away. */

import { Check } from "lucide-react";
import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { answersOf, shortAnswer } from "./answers";
import type { Interaction, Reply } from "./interaction";

const text = planStrings.gates;

interface AnsweredProps {
  /** As which part of the conversation it is found. */
  part: string;
  interaction: Interaction;
  reply: Reply & { auto: boolean };
}

export function Answered({ part, interaction, reply }: AnsweredProps): ReactNode {
  const rows = answersOf(interaction, reply);
  return (
    <details data-part={part} className="-my-1.5 text-base">
      <summary className="cursor-pointer hover:text-accent">
        <Check aria-hidden className="mr-1.5 inline size-4 text-ok" />
        {interaction.title}{" "}
        <span className="font-semibold">{shortAnswer(interaction, reply)}</span>
      </summary>
      <dl className="mt-2 mb-1 flex flex-col gap-2 border-l-2 border-rule pl-4">
        {reply.auto && <dt className="text-ink-soft">{text.auto}</dt>}
        {rows.map(([asked, answer], place) => (
          <div key={place}>
            <dt className="text-ink-soft">{asked}</dt>
            <dd className="whitespace-pre-wrap">{answer === "" ? text.empty : answer}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
