/** A question that was answered: its answer in one line, the rest folded away. */

import { Check } from "lucide-react";
import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import type { Interaction, Option, Reply } from "./interaction";

const text = planStrings.gates;

interface AnsweredProps {
  interaction: Interaction;
  reply: Reply & { auto: boolean };
}

export function Answered({ interaction, reply }: AnsweredProps): ReactNode {
  const rows = answersOf(interaction, reply);
  return (
    <details className="-my-1.5 text-base">
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

type Row = [asked: string, answer: string];

function answersOf(interaction: Interaction, reply: Reply): Row[] {
  switch (interaction.kind) {
    case "questions":
      return interaction.questions.map((question, place) => [question, reply.texts[place] ?? ""]);
    case "free_text":
      return [[interaction.title, reply.texts[0] ?? ""]];
    case "choices":
      return [[interaction.title, answerText(interaction.options, reply, "")]];
    case "sections":
      return interaction.sections.map(({ id, title }) => [title, answerText(interaction.options, reply, id)]);
  }
}

function answerText(options: Option[], reply: Reply, section: string): string {
  const picked = reply.picked[section];
  if (picked === undefined) return "";
  const label = labelOf(options, picked.option);
  return picked.text === "" ? label : `${label}: ${picked.text}`;
}

function labelOf(options: Option[], id: string): string {
  const option = options.find((each) => each.id === id);
  if (option === undefined) return id;
  return option.wantsText ? (option.label.split(":")[0] ?? option.label) : option.label;
}

function shortAnswer(interaction: Interaction, reply: Reply): string {
  switch (interaction.kind) {
    case "choices":
      return answerText(interaction.options, reply, "");
    case "sections": {
      const counts = interaction.options.map(({ id }) => {
        const count = Object.values(reply.picked).filter(({ option }) => option === id).length;
        return count === 0 ? "" : `${labelOf(interaction.options, id)} ${count}`;
      });
      return counts.filter((count) => count !== "").join(" · ");
    }
    case "questions":
    case "free_text":
      return reply.texts.every((answer) => answer.trim() === "") ? text.empty : text.answered;
  }
}
