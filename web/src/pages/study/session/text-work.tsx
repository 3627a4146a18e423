/** A long answer: the question, what it should address, how it is judged, and room to write. */

import { type ReactNode, useState } from "react";

import { sessionStrings } from "../../../strings-study-session";
import { Button } from "../../../ui/button";
import type { StudyExercise } from "../../../wire/generated";
import { useDraft } from "./drafts";
import { FileView } from "./editor/file-view";
import { useWorkFile } from "./editor/use-file";
import { subjectOf, withoutErrands } from "./flow";
import { type Mode, Modes } from "./modes";
import { Talk } from "./said";
import { StudyText } from "./study-text";
import type { Player } from "./use-session";
import { countWords } from "./worksheet";

const text = sessionStrings.text;

export function TextWork({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  const { step, act, isBusy } = player;
  const [mode, setMode] = useState<Mode>("here");
  const [words, setWords] = useDraft(subjectOf(step));
  const path = exercise.file ?? "";
  const file = useWorkFile(step.course, path);
  const handIn = async (): Promise<void> => {
    if (isBusy) return;
    // Whoever wrote nothing here has worked on the file.
    if (mode === "here" && words.trim() !== "") act({ act: "answer", text: words });
    else if (path !== "" && (await file.save())) act({ act: "answer", done: true });
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        void handIn();
      }}
    >
      <StudyText text={withoutErrands(exercise.body)} className="max-w-prose text-lg" />
      {exercise.rubric.length > 0 && <Rubric exercise={exercise} />}
      <div className="mt-5 flex flex-wrap items-center gap-x-4 gap-y-2">
        {path !== "" && <Modes mode={mode} onChange={setMode} />}
        <p className="text-base text-ink-soft">{sessionStrings.sheet.takeTime}</p>
      </div>
      {mode === "file" ? (
        <FileView file={file} path={path} root={step.root} />
      ) : (
        <>
          <label htmlFor="study-text" className="mt-4 block font-semibold">
            {text.label}
          </label>
          <textarea
            id="study-text"
            rows={10}
            value={words}
            readOnly={isBusy}
            aria-describedby="study-text-words study-text-kept"
            onChange={(event) => {
              setWords(event.target.value);
            }}
            className="mt-1.5 block field-sizing-content min-h-64 w-full max-w-prose rounded-lg border border-edge bg-paper px-5 py-4 text-lg leading-relaxed"
          />
          <p className="mt-1.5 flex max-w-prose flex-wrap justify-between gap-x-4 text-base text-ink-soft">
            <span id="study-text-words" className="font-semibold tabular-nums">
              {text.words(countWords(words), exercise.minWords)}
            </span>
            <span id="study-text-kept">{text.kept}</span>
          </p>
        </>
      )}
      <Talk talk={player.talk} />
      <Button type="submit" className="mt-5 min-h-12 px-6 text-lg" aria-disabled={isBusy}>
        {isBusy ? sessionStrings.judging : mode === "here" ? sessionStrings.sheet.handIn : sessionStrings.sheet.handInFile}
      </Button>
    </form>
  );
}

function Rubric({ exercise }: { exercise: StudyExercise }): ReactNode {
  return (
    <details className="mt-4 max-w-prose rounded-lg border border-line px-4 py-2">
      <summary className="min-h-8 cursor-pointer font-semibold">{text.rubric}</summary>
      <dl className="mt-1 divide-y divide-rule">
        {exercise.rubric.map(({ name, description, weight }) => (
          <div key={name} className="py-2">
            <dt className="flex justify-between gap-4 font-semibold">
              {name}
              <span className="text-ink-soft tabular-nums">{text.weight(weight)}</span>
            </dt>
            <dd className="text-base text-ink-soft">{description}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
