/** One line of a worksheet: its words with gaps to write in, or a choice. */

import { clsx } from "clsx";
import { Fragment, type ReactNode } from "react";

import { sessionStrings } from "../../../strings-study-session";
import { Marked } from "../../../ui/marked";
import type { StudyQuestion } from "../../../wire/generated";
import { letterOf } from "./flow";
import { aroundGaps } from "./worksheet";

const text = sessionStrings.sheet;
const CHOSEN_FROM_A_LIST = ["match", "order", "categorise"];

interface QuestionProps {
  question: StudyQuestion;
  values: readonly string[];
  onChange: (values: string[]) => void;
}

export function WorksheetQuestion(props: QuestionProps): ReactNode {
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
