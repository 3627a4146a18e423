/** A worksheet: gap by gap on the page, or as the file that it is. */

import { type ReactNode, useState } from "react";

import { sessionStrings } from "../../../strings-study-session";
import { Button } from "../../../ui/button";
import { PrintButton } from "../../../ui/print-button";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { StudyExercise, StudyQuestion } from "../../../wire/generated";
import { useDraft } from "./drafts";
import { FileView } from "./editor/file-view";
import { useWorkFile } from "./editor/use-file";
import { subjectOf, withoutErrands } from "./flow";
import { type Mode, Modes } from "./modes";
import { Talk } from "./said";
import { StudyText } from "./study-text";
import type { Player } from "./use-session";
import { joinGaps, sectionsOf } from "./worksheet";
import { WorksheetQuestion } from "./worksheet-question";

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
