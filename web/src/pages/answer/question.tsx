/** One question: options to choose from, or a field for each blank. */

import { type ReactNode, useId } from "react";

import { answerStrings as text } from "../../strings-answer";
import { TextField } from "../../ui/field";
import { Marked } from "../../ui/marked";
import type { AnswerQuestion } from "../../wire/generated";

const LONGEST = 500;

interface QuestionProps {
  question: AnswerQuestion;
  parts: readonly string[];
  isOpen: boolean;
  onWrite: (at: number, words: string) => void;
}

export function Question({ question, parts, isOpen, onWrite }: QuestionProps): ReactNode {
  if (question.options.length > 0) return <Options question={question} chosen={parts[0] ?? ""} isOpen={isOpen} onWrite={onWrite} />;
  if (question.blanks === 1) {
    return (
      <TextField
        label={<Marked text={question.prompt} />}
        value={parts[0] ?? ""}
        maxLength={LONGEST}
        readOnly={!isOpen}
        onChange={(words) => {
          onWrite(0, words);
        }}
      />
    );
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="font-semibold">
        <Marked text={question.prompt} />
      </legend>
      {Array.from({ length: question.blanks }, (_, at) => (
        <TextField
          key={at}
          label={text.blank(at + 1, question.blanks)}
          value={parts[at] ?? ""}
          maxLength={LONGEST}
          readOnly={!isOpen}
          onChange={(words) => {
            onWrite(at, words);
          }}
        />
      ))}
    </fieldset>
  );
}

interface OptionsProps {
  question: AnswerQuestion;
  chosen: string;
  isOpen: boolean;
  onWrite: (at: number, words: string) => void;
}

function Options({ question, chosen, isOpen, onWrite }: OptionsProps): ReactNode {
  const name = useId();
  return (
    <fieldset disabled={!isOpen}>
      <legend className="font-semibold">
        <Marked text={question.prompt} />
      </legend>
      <div className="mt-1 flex flex-col">
        {question.options.map((option) => (
          <label key={option.letter} className="flex min-h-11 cursor-pointer items-center gap-3 has-disabled:cursor-not-allowed">
            <input
              type="radio"
              name={name}
              value={option.letter}
              checked={chosen.trim().toUpperCase() === option.letter}
              className="size-5 shrink-0 accent-accent"
              onChange={() => {
                onWrite(0, option.letter);
              }}
            />
            <Marked text={`${option.letter}) ${option.text}`} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}
