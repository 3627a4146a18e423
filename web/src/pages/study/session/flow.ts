/** What a step means for the page: whether something ended, what is asked now, what was told. Pure. */

import type { StudyExercise, StudyQuestion, StudyResult, StudyStep } from "../../../wire/generated";

const LETTER_A = 65;

/** The letter of a choice: A for the first. */
export function letterOf(place: number): string {
  return String.fromCharCode(LETTER_A + place);
}

/** What a step is about; while it stays the same, somebody is still working on the same thing. */
export function subjectOf({ stage, item, exercise, session }: StudyStep): string {
  const parts = [session, stage, item?.number, exercise?.id, exercise?.asking];
  return parts.map((part) => part ?? "").join("/");
}

/** Whether an act has ended what was asked, so that it is talked about before the next thing comes. */
export function isClosed(before: StudyStep, after: StudyStep): boolean {
  if (before.stage === "teach") return false;
  return subjectOf(before) !== subjectOf(after) && (after.says.length > 0 || isNewResult(before, after));
}

/** The result that came with an act, when it is about the exercise before. */
export function newResult(before: StudyStep, after: StudyStep): StudyResult | null {
  return isNewResult(before, after) ? after.result : null;
}

function isNewResult(before: StudyStep, after: StudyStep): boolean {
  const { result } = after;
  return result !== null && result.exerciseId === before.exercise?.id;
}

export interface Asked {
  /** Markdown before the question: an example, a scene, how many questions there are. */
  intro: string;
  question: StudyQuestion;
  /** What stands on the other side of a card that was turned over. */
  back: string;
}

/** The question that is asked now, apart from what stands around it; null when the body is all there is. */
export function askedIn(exercise: StudyExercise): Asked | null {
  const [question] = exercise.questions;
  if (question === undefined || exercise.asking === null) return null;
  const text = questionText(question);
  const at = exercise.body.indexOf(text);
  if (at < 0) return null;
  return {
    intro: exercise.body.slice(0, at).trim(),
    question,
    back: exercise.body.slice(at + text.length).trim(),
  };
}

/** A question as the server writes it into the body of an exercise. */
function questionText({ context, starter, prompt, choices, parts }: StudyQuestion): string {
  const code = starter?.trim() ?? "";
  const options =
    choices.length > 0 ? choices.map((text, place) => `${letterOf(place)}. ${text}`).join("\n") : parts.join(" / ");
  return [context ?? "", code === "" ? "" : `\`\`\`\n${code}\n\`\`\``, prompt, options].filter((part) => part !== "").join("\n\n");
}

export type Tone = "right" | "nearly" | "wrong" | "neutral";

/** How an answer went, for the colour of what is said. Words alone tell it where there is no result. */
export function toneOf(says: readonly string[], result: StudyResult | null): Tone {
  if (result !== null) {
    if (!result.gradable) return "neutral";
    const share = result.score.percentage;
    if (share >= 0.8) return "right";
    return share >= 0.5 ? "nearly" : "wrong";
  }
  const first = says.find((line) => !/^(Sam|Robin): /.test(line)) ?? "";
  if (/^(Right|Correct|You found it right\.|Addressed)/.test(first)) return "right";
  if (/^(Nearly|Almost|You found it right in part|Some of it is right|It is (true|false)[;,])/.test(first)) return "nearly";
  if (/^(Not yet|The answer: |“.*” is not|You found it wrong|Think again)/.test(first)) return "wrong";
  return "neutral";
}

/** Sentences for somebody in a terminal: here there are buttons for that. */
const ERRAND = /^(?:\d+ questions?\. )?Open `|^Try your tests: |^Take your time|^At least \d+ words\.|^\d+ questions?\.|Replace each `___`|^Take a photo and name/;

/** The body of an exercise without how to open its files. */
export function withoutErrands(body: string): string {
  return body
    .split("\n\n")
    .filter((part) => !ERRAND.test(part.trim()))
    .join("\n\n");
}

/** The file of tests that one may read, as the command to run it names it. */
export function testFileOf({ run, file }: StudyExercise): string | null {
  const path = run?.split(" ").at(-1) ?? "";
  return file !== null && path.startsWith(`${file}/`) ? path : null;
}

/** What was said about one question of a sheet: the line that begins with its number. */
export function saidAbout(question: string, says: readonly string[]): string | null {
  const start = `${question}: `;
  return says.find((line) => line.startsWith(start))?.slice(start.length) ?? null;
}

/** What was said beyond what the details of the result show. */
export function unsaid(says: readonly string[], result: StudyResult | null): string[] {
  if (result === null) return [...says];
  const shown = new Set([...result.strengths, ...result.improvements, ...result.remarks]);
  const isListed = result.answers.length > 1;
  const failed = new Set(result.tests.map(({ description, name, message }) => `${description || name}: ${message}`));
  return withoutRepeats(says).filter(
    (line) =>
      !shown.has(line) &&
      !/^\d+(\.\d+)? of \d+ right\.$/.test(line) &&
      !failed.has(line) &&
      !(isListed && result.answers.some(({ question }) => line.startsWith(`${question}: `))),
  );
}

/** The sentence about the next hint: it stands beside the button for it. */
export function isHowToContinue(line: string): boolean {
  return /^(Try again, or ask|Try it first: after)/.test(line);
}

/** Lines without those that an earlier one ends with: a test is told by its name, not once more without. */
export function withoutRepeats(says: readonly string[]): string[] {
  return says.filter((line, place) => !says.slice(0, place).some((earlier) => earlier.endsWith(line)));
}
