/** What was answered to a question, in words. */

import { planStrings } from "../strings";
import type { Interaction, Option, Reply } from "./interaction";

const text = planStrings.gates;

type Row = [asked: string, answer: string];

export function answersOf(interaction: Interaction, reply: Reply): Row[] {
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

export function shortAnswer(interaction: Interaction, reply: Reply): string {
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

/** Everything that an answered question shows, in its order. */
export function answerWords(interaction: Interaction, reply: Reply): string {
  return [interaction.title, shortAnswer(interaction, reply), ...answersOf(interaction, reply).flat()].join("\n");
}
