/** Code: its files in an editor, its tests as often as one likes, and handing it in. */

import { useMutation } from "@tanstack/react-query";
import { clsx } from "clsx";
import { CircleCheck, CircleDashed, CircleX, Play, Square } from "lucide-react";
import { type ReactNode, useState } from "react";

import { useServices } from "../../../services";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/forms/field";
import type { StudyExercise, StudyTest } from "../../../wire/generated";
import { testFileOf, withoutErrands } from "./flow";
import { StudyText, Talk } from "./frame";
import { sessionStrings } from "./strings";
import type { Player } from "./use-session";
import { FileView, useWorkFile } from "./work-file";

const text = sessionStrings.code;

export function CodeWork({ player, exercise }: { player: Player; exercise: StudyExercise }): ReactNode {
  const { api } = useServices();
  const { step, act, isBusy } = player;
  const tests = testFileOf(exercise);
  const files = [...exercise.open, ...(tests === null || exercise.open.includes(tests) ? [] : [tests])];
  const [shown, setShown] = useState(files[0] ?? "");
  const file = useWorkFile(step.course, shown);
  const trial = useMutation({
    mutationFn: async () => {
      if (await file.save()) return api.study.run(step.course);
      return null;
    },
  });
  const handIn = async (final: boolean): Promise<void> => {
    if (isBusy || trial.isPending || !(await file.save())) return;
    trial.reset();
    act(final ? { act: "answer", final: true } : { act: "answer", done: true });
  };
  return (
    <div>
      {exercise.asking === null && <StudyText text={withoutErrands(exercise.body)} className="max-w-prose text-lg" />}
      {files.length > 1 && (
        <div role="group" aria-label={sessionStrings.file.files} className="mt-5 flex flex-wrap gap-1">
          {files.map((path) => (
            <button
              key={path}
              type="button"
              aria-pressed={path === shown}
              onClick={() => {
                void file.save().then((isKept) => {
                  if (isKept) setShown(path);
                });
              }}
              className={clsx(
                "min-h-11 rounded-md px-4 font-mono text-base transition-colors",
                path === shown ? "bg-cover font-semibold text-door-ink" : "text-ink-soft hover:text-ink",
              )}
            >
              {path.split("/").at(-1)}
            </button>
          ))}
        </div>
      )}
      <FileView key={shown} file={file} path={shown} root={step.root} />
      <div className="mt-4 flex flex-wrap items-center gap-2">
        <Button
          look="quiet"
          className="min-h-12"
          aria-disabled={trial.isPending || isBusy}
          onClick={() => {
            if (!trial.isPending && !isBusy) trial.mutate();
          }}
        >
          <Play aria-hidden className="size-4" />
          {trial.isPending ? text.running : text.run}
        </Button>
        {(trial.isPending || isBusy) && (
          <Button look="quiet" className="min-h-12" onClick={() => void api.study.stopRun()}>
            <Square aria-hidden className="size-4" />
            {text.stop}
          </Button>
        )}
        <Button className="min-h-12 px-6" aria-disabled={isBusy} onClick={() => void handIn(false)}>
          {isBusy ? sessionStrings.judging : text.handIn}
        </Button>
        {exercise.attempts > 0 && (
          <Button look="quiet" className="min-h-12" aria-disabled={isBusy} onClick={() => void handIn(true)}>
            {text.handInFinal}
          </Button>
        )}
        <p className="text-base text-ink-soft">{text.trying}</p>
      </div>
      {trial.isError && <FormError id="study-run-error" error={trial.error} />}
      <div role="status">
        {trial.data != null && (
          <div className="study-arrive mt-5">
            <p className="font-semibold">{text.passed(trial.data.passed, trial.data.total)}</p>
            <TestList tests={trial.data.tests} />
            {trial.data.output.trim() !== "" && (
              <details className="mt-2">
                <summary className="min-h-8 cursor-pointer font-semibold">{text.output}</summary>
                {/* A long line scrolls, and the keyboard must be able to scroll it. */}
                {/* eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex */}
                <pre tabIndex={0} className="mt-1 max-h-72 overflow-auto rounded-lg border border-line bg-paper p-3 text-base">
                  {trial.data.output}
                </pre>
              </details>
            )}
          </div>
        )}
      </div>
      {exercise.asking === null && <Talk talk={player.talk} isPlain />}
    </div>
  );
}

const LOOKS = {
  passed: { icon: CircleCheck, color: "text-ok" },
  failed: { icon: CircleX, color: "text-fail" },
  error: { icon: CircleX, color: "text-fail" },
  timeout: { icon: CircleX, color: "text-fail" },
  skipped: { icon: CircleDashed, color: "text-ink-soft" },
};

/** Tests, one by one: which pass, and what the others say. */
export function TestList({ tests }: { tests: readonly StudyTest[] }): ReactNode {
  if (tests.length === 0) return null;
  return (
    <ul aria-label={sessionStrings.code.tests} className="mt-2 divide-y divide-rule border-y border-rule">
      {tests.map(({ name, status, description, message }) => {
        const { icon: Icon, color } = LOOKS[status];
        return (
          <li key={name} className="flex gap-3 py-2">
            <Icon aria-hidden className={`mt-1 size-5 shrink-0 ${color}`} />
            <div className="min-w-0">
              <p>
                {description || name} <span className={`text-base font-semibold ${color}`}>{sessionStrings.code.status[status]}</span>
              </p>
              {message !== "" && status !== "passed" && <p className="text-base whitespace-pre-wrap text-ink-soft">{message}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
