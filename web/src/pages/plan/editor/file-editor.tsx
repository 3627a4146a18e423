/** One file of the workspace: its text, what is wrong with it, and what others made of it meanwhile. */

import { type ReactNode, useState } from "react";

import { ApiError } from "../../../api/errors";
import { planStrings } from "../../../strings-plan";
import { notify } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { FormError } from "../../../ui/form-error";
import { SaveButtons } from "../../../ui/save-buttons";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { PlanText } from "../../../wire/generated";
import { useSaveFile } from "../actions";
import { useFile } from "../hooks";
import { Conflict } from "./conflict";
import { DeleteFile } from "./delete-file";
import { useFileDrafts } from "./file-drafts";
import { LoadedEditor } from "./load-editor";
import { ProblemList } from "./problem-list";

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
