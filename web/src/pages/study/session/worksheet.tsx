/** A worksheet: gap by gap on the page, or as the file that it is. */

import { clsx } from "clsx";
import { Fragment, type ReactNode, useState } from "react";

import { Button, PrintButton } from "../../../ui/button";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { StudyExercise, StudyQuestion } from "../../../wire/generated";
import { letterOf, subjectOf, withoutErrands } from "./flow";
import { StudyText, Talk } from "./frame";
import { sessionStrings } from "./strings";
import { type Player, useDraft } from "./use-session";
import { FileView, useWorkFile } from "./work-file";

const text = sessionStrings.sheet;

type Answers = Record<string, string[]>;

export function Worksheet({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  const { step, act, isBusy } = player;
  const [mode, setMode] = useState<Mode>("here");
  const path = exercise.file ?? "";
  const file = useWorkFile(step.course, path);
  const [kept, keep] = useDraft(subjectOf(step));
  const answers = readAnswers(kept);
  const parts = partsOf(exercise.questions, answers);
  const filled = Object.keys(parts).length;
  const handIn = async (): Promise<void> => {
    if (isBusy) return;
    // Whoever filled in nothing here has worked on the file.
    if (mode === "here" && filled > 0) act({ act: "answer", parts });
    else if (await file.save()) act({ act: "answer", done: true });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void handIn();
      }}
    >
      <StudyText text={withoutErrands(exercise.body)} className="max-w-prose" />
      <div data-unprinted className="mt-4 mb-2 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Modes mode={mode} onChange={setMode} />
        <p className="text-base text-ink-soft">{text.takeTime}</p>
        <PrintButton />
      </div>
      {mode === "file" ? (
        <FileView file={file} path={path} root={step.root} />
      ) : (
        <Fields
          exercise={exercise}
          file={file.found.isPending ? null : (file.found.data?.text ?? "")}
          answers={answers}
          onChange={(id, values) => {
            const next = { ...answers, [id]: values };
            keep(Object.values(next).flat().join("").trim() === "" ? "" : JSON.stringify(next));
          }}
        />
      )}
      <Talk talk={player.talk} />
      <div data-unprinted className="mt-6 flex flex-wrap items-center gap-x-4 gap-y-2">
        <Button type="submit" className="min-h-12 px-6 text-lg" aria-disabled={isBusy}>
          {isBusy ? sessionStrings.judging : mode === "here" ? text.handIn : text.handInFile}
        </Button>
        {mode === "here" && <p className="text-ink-soft tabular-nums">{text.filled(filled, exercise.questions.length)}</p>}
      </div>
    </form>
  );
}

interface FieldsProps {
  exercise: StudyExercise;
  file: string | null;
  answers: Answers;
  onChange: (id: string, values: string[]) => void;
}

function Fields({ exercise, file, answers, onChange }: FieldsProps): ReactNode {
  if (file === null) {
    return (
      <Loading label={text.loading}>
        <Skeleton className="mt-6 h-96" />
      </Loading>
    );
  }
  return sectionsOf(exercise.questions, file).map((section) => (
    <fieldset key={section.number} className="mt-6 border-t border-rule pt-4 first-of-type:border-0">
      <legend className="sr-only">{section.title || exercise.title}</legend>
      {section.title !== "" && (
        <h3 aria-hidden className="text-lg">
          {section.title}
        </h3>
      )}
      {section.intro !== "" && <StudyText text={section.intro} className="mt-1 max-w-prose text-ink-soft" />}
      <ol className="mt-2 flex flex-col divide-y divide-rule">
        {section.questions.map((question) => (
          <li key={question.id} className="py-3">
            <WorksheetQuestion
              question={question}
              values={answers[question.id] ?? []}
              onChange={(values) => {
                onChange(question.id, values);
              }}
            />
          </li>
        ))}
      </ol>
    </fieldset>
  ));
}

function partsOf(questions: readonly StudyQuestion[], answers: Answers): Record<string, string> {
  const given = questions.map(({ id }) => [id, joinGaps(answers[id] ?? [])] as const);
  return Object.fromEntries(given.filter(([, answer]) => answer !== ""));
}

function readAnswers(kept: string): Answers {
  return kept === "" ? {} : (JSON.parse(kept) as Answers);
}

const CHOSEN_FROM_A_LIST = ["match", "order", "categorise"];

interface QuestionProps {
  question: StudyQuestion;
  values: readonly string[];
  onChange: (values: string[]) => void;
}

/** One line of a worksheet: its words with gaps to write in, or a choice. */
function WorksheetQuestion(props: QuestionProps): ReactNode {
  const { choices, kind } = props.question;
  if (choices.length === 0) return <Gaps {...props} />;
  return CHOSEN_FROM_A_LIST.includes(kind) ? <Picker {...props} /> : <Radios {...props} />;
}

function Gaps({ question, values, onChange }: QuestionProps): ReactNode {
  const parts = aroundGaps(question);
  const count = parts.length - 1;
  const name = parts.join(" … ").replaceAll(/\s+/g, " ").trim();
  const change = (place: number, value: string): void => {
    onChange(Array.from({ length: count }, (_, at) => (at === place ? value : (values[at] ?? ""))));
  };
  return (
    <p className="text-lg leading-13">
      {parts.map((part, place) => {
        const field = {
          "aria-label": text.gap(name, place + 1, count),
          value: values[place] ?? "",
          className: clsx("study-gap", isWide(question, part) && "study-gap-wide"),
        };
        const isTruth = question.kind === "true_false" && /true or false\?\s*$/i.test(part);
        return (
          <Fragment key={place}>
            <Marked text={part} />
            {place < count &&
              (isTruth ? (
                <select
                  {...field}
                  onChange={(event) => {
                    change(place, event.target.value);
                  }}
                >
                  <option value="">{text.pick}</option>
                  {text.trueFalse.map((word) => (
                    <option key={word}>{word}</option>
                  ))}
                </select>
              ) : (
                <input
                  {...field}
                  autoComplete="off"
                  onChange={(event) => {
                    change(place, event.target.value);
                  }}
                />
              ))}
          </Fragment>
        );
      })}
    </p>
  );
}

/** Whether more than a word is wanted. */
function isWide({ kind }: StudyQuestion, before: string): boolean {
  return ["define", "short", "long_form", "error"].includes(kind) || /because:\s*$/i.test(before);
}

function Picker({ question, values, onChange }: QuestionProps): ReactNode {
  const id = `study-${question.id}`;
  return (
    <p className="flex flex-wrap items-center gap-x-4 gap-y-2 text-lg">
      <label htmlFor={id} className="min-w-40">
        <Marked text={question.prompt.replaceAll(/_{3,}/g, "").trim()} />
      </label>
      <select
        id={id}
        value={values[0] ?? ""}
        className="study-gap"
        onChange={(event) => {
          onChange([event.target.value]);
        }}
      >
        <option value="">{text.pick}</option>
        {question.choices.map((choice, place) => (
          <option key={letterOf(place)} value={letterOf(place)}>
            {choice}
          </option>
        ))}
      </select>
    </p>
  );
}

function Radios({ question, values, onChange }: QuestionProps): ReactNode {
  return (
    <fieldset>
      <legend className="text-lg">
        <Marked text={aroundGaps(question).join(" ").trim()} />
      </legend>
      <div className="mt-2 flex flex-wrap gap-2">
        {question.choices.map((choice, place) => {
          const letter = letterOf(place);
          return (
            <label
              key={letter}
              className="flex min-h-11 cursor-pointer items-center gap-2.5 rounded-lg border border-edge bg-paper px-4 has-checked:border-accent has-checked:bg-cover has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-[var(--focus)]"
            >
              <input
                type="radio"
                name={`study-${question.id}`}
                value={letter}
                checked={values[0] === letter}
                className="size-4 accent-accent"
                onChange={() => {
                  onChange([letter]);
                }}
              />
              <Marked text={choice} />
            </label>
          );
        })}
      </div>
    </fieldset>
  );
}

// A worksheet question by question: its gaps, its sections, and its answers as they are handed in. Pure.

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

interface SheetSection {
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

export type Mode = "here" | "file";

/** Two ways to work on the same exercise: here, or on its file. */
export function Modes({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }): ReactNode {
  return (
    <div role="group" aria-label={sessionStrings.sheet.mode} className="inline-flex rounded-lg border border-edge p-0.5">
      {(["here", "file"] as const).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={mode === each}
          onClick={() => {
            onChange(each);
          }}
          className={clsx(
            "min-h-10 rounded-md px-4 text-base font-semibold transition-colors",
            mode === each ? "bg-accent text-on-accent" : "text-ink-soft hover:text-ink",
          )}
        >
          {sessionStrings.sheet[each]}
        </button>
      ))}
    </div>
  );
}
