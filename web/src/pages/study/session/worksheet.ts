/** A worksheet question by question: its gaps, its sections, and its answers as they are handed in. Pure. */

import type { StudyQuestion } from "../../../wire/generated";

const GAP = /_{3,}/;

/** The parts of a prompt around its gaps: one more than there are gaps. */
export function aroundGaps({ prompt, choices, kind }: StudyQuestion): string[] {
  // The letters stand in the prompt too; here they are to be chosen.
  const words = choices.length > 0 && kind === "choice" ? prompt.replace(/\s*\(A\) [\s\S]*$/, " ___") : prompt;
  const parts = words.split(GAP);
  return parts.length > 1 ? parts : [`${words} `, ""];
}

/** Answers to the gaps of one question as one text; a semicolon separates them, so only the last may hold one. */
export function joinGaps(values: readonly string[]): string {
  const last = values.length - 1;
  const cleaned = values.map((value, place) => (place < last ? value.replaceAll(";", ",") : value).trim());
  return cleaned.every((value) => value === "") ? "" : cleaned.join("; ");
}

export interface SheetSection {
  number: string;
  title: string;
  /** Markdown: what to do in this section, or the code it is about. */
  intro: string;
  questions: StudyQuestion[];
}

/** Questions below the sections of their sheet; what a section says comes from the file. */
export function sectionsOf(questions: readonly StudyQuestion[], file: string): SheetSection[] {
  const told = readSections(file);
  const sections: SheetSection[] = [];
  for (const question of questions) {
    const number = question.id.split(".")[0] ?? "";
    let section = sections.at(-1);
    if (section?.number !== number) {
      const { title = "", intro = "" } = told.get(number) ?? {};
      section = { number, title, intro: intro === "" ? (question.context ?? "") : intro, questions: [] };
      sections.push(section);
    }
    section.questions.push(question);
  }
  return sections;
}

/** The titles and introductions of the sections in a worksheet, by their numbers. */
function readSections(file: string): Map<string, { title: string; intro: string }> {
  const found = new Map<string, { title: string; intro: string }>();
  const parts = file.split(/^## Section (\d+):[ \t]*(.*)$/m);
  for (let at = 1; at + 2 < parts.length; at += 3) {
    const [number = "", title = "", text = ""] = parts.slice(at, at + 3);
    const [intro = ""] = text.split(/^(?:\d+\. |\|)/m, 1);
    found.set(number, { title: title.trim(), intro: intro.trim() });
  }
  return found;
}

/** How many words somebody wrote. */
export function countWords(text: string): number {
  return text.match(/[\p{L}\p{N}]+(?:['’-][\p{L}\p{N}]+)*/gu)?.length ?? 0;
}
