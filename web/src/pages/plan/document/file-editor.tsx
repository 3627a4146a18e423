/** One file of the workspace: its text, what is wrong with it, and what others made of it meanwhile. */

import { GitMerge, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";

import { Button } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { FormError } from "../../../ui/forms/field";
import { SaveButtons } from "../../../ui/forms/save-buttons";
import { Awaited, late, useLate } from "../../../ui/late";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { notify, undoable } from "../../../ui/toasts";
import type { PlanProblem, PlanText } from "../../../wire/generated";
import { ApiError } from "../../../wire/http";
import { useAddress } from "../address";
import { WordDiff } from "../gates/sections-form";
import { useDeleteFile, useFile, useFileDrafts, useSaveFile } from "../hooks";
import { planStrings } from "../strings";
import type { CodeEditorProps } from "./code-editor";

const text = planStrings.editor;

export function FileEditor({ path, line }: { path: string; line: number | null }): ReactNode {
  const found = useFile(path);
  if (found.data === undefined) {
    if (found.isError) {
      return (
        <div className="px-5">
          <QueryError title={text.failed} query={found} />
        </div>
      );
    }
    return (
      <Loading label={text.loading}>
        <Skeleton className="m-4 h-80" />
      </Loading>
    );
  }
  if (found.data === null) return <Gone path={path} />;
  return <Editor key={path} file={found.data} line={line} />;
}

function Editor({ file, line }: { file: PlanText; line: number | null }): ReactNode {
  const { path } = file;
  const draft = useFileDrafts(({ drafts }) => drafts[path]);
  const { keep, drop } = useFileDrafts.getState();
  const [goTo, setGoTo] = useState(line === null ? null : { line, time: 0 });
  const [isSaved, setIsSaved] = useState(false);
  const save = useSaveFile(path);
  const submit = (version: string): void => {
    if (draft === undefined || save.isPending) return;
    save.mutate(
      { text: draft.text, version },
      {
        onSuccess: () => {
          setIsSaved(true);
        },
      },
    );
  };
  const isStale = draft !== undefined && draft.base !== file.version;
  return (
    <form
      className="flex h-full min-h-0 flex-col"
      onSubmit={(event) => {
        event.preventDefault();
        submit(draft?.base ?? file.version);
      }}
    >
      {isStale && (
        <Conflict
          mine={draft.text}
          theirs={file.text}
          isSaving={save.isPending}
          onKeepMine={() => {
            submit(file.version);
          }}
          onTakeTheirs={() => {
            drop(path);
            save.reset();
          }}
        />
      )}
      <div className="min-h-0 flex-1 max-lg:h-[60dvh] max-lg:rounded-md max-lg:border max-lg:border-edge max-lg:bg-card">
        <LoadedEditor
          label={text.text(path)}
          value={draft?.text ?? file.text}
          problems={file.problems}
          goTo={goTo}
          onChange={(words) => {
            setIsSaved(false);
            if (words === file.text) drop(path);
            else keep(path, { text: words, base: draft?.base ?? file.version });
          }}
          onSave={() => {
            submit(draft?.base ?? file.version);
          }}
        />
      </div>
      <ProblemList
        problems={file.problems}
        isChanged={draft !== undefined}
        onGoTo={(wanted) => {
          setGoTo({ line: wanted, time: Date.now() });
        }}
      />
      {save.isError && !(isStale && isConflict(save.error)) && (
        <div className="px-4 pt-2">
          <FormError id="plan-file-error" error={save.error} />
        </div>
      )}
      <div className="flex flex-wrap items-center gap-2 border-t border-line px-4 py-2.5">
        <SaveButtons
          words={text}
          isChanged={draft !== undefined}
          isSaving={save.isPending}
          isHeld={isStale}
          hasKey
          onUndo={() => {
            drop(path);
            save.reset();
          }}
        />
        <p role="status" className="text-base text-ink-soft">
          {draft !== undefined ? text.unsaved : isSaved && text.saved}
        </p>
        <DeleteFile file={file} />
      </div>
    </form>
  );
}

function isConflict(error: Error): boolean {
  return error instanceof ApiError && error.status === 409;
}

function Gone({ path }: { path: string }): ReactNode {
  const draft = useFileDrafts(({ drafts }) => drafts[path]);
  const save = useSaveFile(path);
  return (
    <div className="p-5">
      <p role="status">{text.gone}</p>
      {draft !== undefined && (
        <>
          <p className="mt-1 text-ink-soft">{text.goneDraft}</p>
          {save.isError && <FormError id="plan-file-error" error={save.error} />}
          <Button
            className="mt-3"
            disabled={save.isPending}
            onClick={() => {
              save.mutate(
                { text: draft.text },
                {
                  onSuccess: () => {
                    notify(text.saved);
                  },
                },
              );
            }}
          >
            {save.isPending ? text.saving : text.save}
          </Button>
        </>
      )}
    </div>
  );
}

interface ProblemListProps {
  problems: PlanProblem[];
  isChanged: boolean;
  onGoTo: (line: number) => void;
}

/** What is wrong with a file, each with a way to its line. */
function ProblemList({ problems, isChanged, onGoTo }: ProblemListProps): ReactNode {
  if (problems.length === 0) return null;
  return (
    <section aria-label={text.problems(problems.length)} className="max-h-44 shrink-0 overflow-auto border-t border-line px-4 py-2.5">
      <h3 className="flex items-center gap-2 text-base font-semibold">
        <TriangleAlert aria-hidden className="size-4 text-warn" />
        {text.problems(problems.length)}
      </h3>
      {isChanged && <p className="text-sm text-ink-soft">{text.problemsOfSaved}</p>}
      <ul className="mt-1 flex flex-col gap-1 text-base">
        {problems.map(({ line, message }, place) => (
          <li key={place} className="flex items-baseline gap-3">
            {line === null ? (
              <span className="w-18 shrink-0 text-ink-soft">{text.whole}</span>
            ) : (
              <button
                type="button"
                className="prose-link w-18 shrink-0 text-left"
                onClick={() => {
                  onGoTo(line);
                }}
              >
                {planStrings.document.line(line)}
              </button>
            )}
            <Marked text={message} />
          </li>
        ))}
      </ul>
    </section>
  );
}

interface ConflictProps {
  mine: string;
  theirs: string;
  isSaving: boolean;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

/** Two texts of one file: both are shown, and nothing is thrown away before one chooses. */
function Conflict({ mine, theirs, isSaving, onKeepMine, onTakeTheirs }: ConflictProps): ReactNode {
  return (
    <section aria-label={text.conflict} className="max-h-1/2 shrink-0 overflow-auto border-b border-line bg-paper px-4 py-3">
      <div role="status" className="flex gap-3">
        <GitMerge aria-hidden className="mt-1 size-5 shrink-0 text-warn" />
        <div>
          <p className="font-semibold">
            {text.stale} {text.conflict}.
          </p>
          <p className="text-ink-soft">{text.conflictHint}</p>
        </div>
      </div>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button look="quiet" disabled={isSaving} onClick={onKeepMine}>
          {text.keepMine}
        </Button>
        <Button look="quiet" disabled={isSaving} onClick={onTakeTheirs}>
          {text.takeTheirs}
        </Button>
      </div>
      <details className="mt-2" open>
        <summary className="cursor-pointer font-semibold">{text.differences}</summary>
        <WordDiff before={theirs} after={mine} className="mt-2 font-mono text-sm" />
      </details>
      <details className="mt-2">
        <summary className="cursor-pointer font-semibold">{text.theirs}</summary>
        <pre className="mt-2 font-mono text-sm whitespace-pre-wrap">{theirs}</pre>
      </details>
    </section>
  );
}

/** Deletes the open file; for a while that can be undone. */
function DeleteFile({ file }: { file: PlanText }): ReactNode {
  const { closeDocument } = useAddress();
  const remove = useDeleteFile(file.path, (undo) => {
    useFileDrafts.getState().drop(file.path);
    undoable(text.deleted(file.path), undo);
    closeDocument();
  });
  return (
    <>
      <Button
        look="quiet"
        className="ml-auto"
        disabled={remove.isPending}
        onClick={() => {
          remove.mutate(file);
        }}
      >
        {text.delete}
      </Button>
      {remove.isError && <FormError id="plan-delete-error" error={remove.error} />}
    </>
  );
}

const { loading, editorFailed, editorFailedHint } = planStrings.editor;
const WORDS = { loading, failed: editorFailed, failedHint: editorFailedHint };
const EDITOR = late(() => import("./code-editor"));

/** Fetches the editor when a file is opened first. */
function LoadedEditor(props: CodeEditorProps): ReactNode {
  const { part, state, retry } = useLate(EDITOR);
  if (part !== null) return <part.CodeEditor {...props} />;
  return <Awaited state={state} retry={retry} words={WORDS} className="m-4 h-80" />;
}
