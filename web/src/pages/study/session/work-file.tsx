/** A file of the exercise to edit here, with its path for those who use an editor of their own. */

import { useMutation, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { Copy, RotateCw } from "lucide-react";
import type { ReactNode } from "react";

import { useServices } from "../../../services";
import { Button, IconButton } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { FormError } from "../../../ui/forms/field";
import { Awaited, late, useLate } from "../../../ui/late";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { notify, notifyError } from "../../../ui/toasts";
import type { StudyFile } from "../../../wire/generated";
import { ApiError } from "../../../wire/http";
import { fileKey } from "../hooks";
import { sessionStrings } from "./strings";
import { useDraft } from "./use-session";
import type { WorkEditorProps } from "./work-editor";

const text = sessionStrings.file;

interface FileViewProps {
  file: WorkFile;
  path: string;
  /** The folder that paths are relative to. */
  root: string;
}

export function FileView({ file, path, root }: FileViewProps): ReactNode {
  const { found } = file;
  if (found.data === undefined) {
    if (found.isError) return <QueryError title={sessionStrings.sheet.failed} query={found} />;
    return (
      <Loading label={sessionStrings.sheet.loading}>
        <Skeleton className="mt-4 h-72" />
      </Loading>
    );
  }
  const { editable, version } = found.data;
  return (
    <div className="mt-4">
      {file.isStale && (
        <div role="alert" className="mb-3 flex flex-wrap items-center gap-2 rounded-lg border border-line border-l-4 border-l-warn bg-paper px-4 py-2.5">
          <p className="mr-auto">{text.changed}</p>
          <Button look="quiet" onClick={() => void file.save(version)}>
            {text.keepMine}
          </Button>
          <Button look="quiet" onClick={file.takeTheirs}>
            {text.takeTheirs}
          </Button>
        </div>
      )}
      <div className="h-[min(28rem,60dvh)] overflow-hidden rounded-lg border border-edge bg-paper focus-within:border-accent">
        <LoadedEditor
          label={text.editor(path.split("/").at(-1) ?? path)}
          path={path}
          value={file.text}
          readOnly={!editable}
          onChange={file.change}
          onSave={() => void file.save()}
        />
      </div>
      {file.error !== null && <FormError id="study-file-error" error={file.error} />}
      <div className="mt-1 flex flex-wrap items-center gap-x-3 text-base text-ink-soft">
        <p role="status" className="mr-auto">
          {editable ? stateOf(file) : text.readOnly}
        </p>
        <IconButton label={text.reload} onClick={() => void found.refetch()}>
          <RotateCw aria-hidden className="size-4" />
        </IconButton>
        {editable && (
          <Button look="quiet" className="text-base" disabled={!file.isChanged || file.isStale || file.isSaving} onClick={() => void file.save()}>
            {text.save}
          </Button>
        )}
      </div>
      {editable && <WhereItIs path={`${root}/${path}`} />}
    </div>
  );
}

function WhereItIs({ path }: { path: string }): ReactNode {
  const copy = (): void => {
    navigator.clipboard.writeText(path).then(
      () => {
        notify(text.copied);
      },
      (error: unknown) => {
        notifyError(text.copy, error);
      },
    );
  };
  return (
    <div className="mt-2 text-base text-ink-soft">
      <p>{text.where}</p>
      <p className="flex items-center gap-1">
        <code className="min-w-0 break-all text-ink">{path}</code>
        <IconButton label={text.copy} onClick={copy}>
          <Copy aria-hidden className="size-4" />
        </IconButton>
      </p>
    </div>
  );
}

function stateOf({ isSaving, isChanged, isSaved }: WorkFile): string {
  if (isSaving) return text.saving;
  if (isChanged) return text.unsaved;
  return isSaved ? text.saved : "";
}

const { loadingEditor, editorFailed, editorFailedHint } = sessionStrings.file;
const WORDS = { loading: loadingEditor, failed: editorFailed, failedHint: editorFailedHint };
const EDITOR = late(() => import("./work-editor"));

/** Fetches the editor when it is needed first. */
function LoadedEditor(props: WorkEditorProps): ReactNode {
  const { part, state, retry } = useLate(EDITOR);
  if (part !== null) return <part.WorkEditor key={props.path} {...props} />;
  return <Awaited state={state} retry={retry} words={WORDS} className="h-56" />;
}

interface WorkFile {
  found: UseQueryResult<StudyFile>;
  text: string;
  change: (text: string) => void;
  isChanged: boolean;
  /** Whether somebody else wrote the file after this window began to change it. */
  isStale: boolean;
  /** Writes what was typed; true when the file holds it then. */
  save: (over?: string) => Promise<boolean>;
  takeTheirs: () => void;
  isSaving: boolean;
  isSaved: boolean;
  error: Error | null;
}

/** A file of the open exercise: its text, what was typed over it, and what others made of it meanwhile. */
export function useWorkFile(course: string, path: string): WorkFile {
  const { api } = useServices();
  const queries = useQueryClient();
  const queryKey = fileKey(course, path);
  const found = useQuery({
    queryKey,
    queryFn: () => api.study.readFile(course, path),
    staleTime: 0,
    refetchOnWindowFocus: "always",
  });
  const [kept, keep] = useDraft(`file/${path}`);
  const draft = readDraft(kept);
  const saving = useMutation({
    mutationFn: (write: { text: string; version: string }) => api.study.writeFile(course, path, write),
    onSuccess: (file) => {
      queries.setQueryData(queryKey, file);
      keep("");
    },
    onError: (error) => {
      if (isConflict(error)) void queries.invalidateQueries({ queryKey });
    },
  });
  const file = found.data;
  return {
    found,
    text: draft?.text ?? file?.text ?? "",
    change: (text) => {
      saving.reset();
      keep(text === file?.text ? "" : `${draft?.base ?? file?.version ?? ""}\n${text}`);
    },
    isChanged: draft !== null,
    isStale: draft !== null && file !== undefined && draft.base !== file.version && draft.text !== file.text,
    save: async (over) => {
      if (draft === null) return true;
      return saving
        .mutateAsync({ text: draft.text, version: over ?? draft.base })
        .then(() => true)
        .catch(() => false);
    },
    takeTheirs: () => {
      saving.reset();
      keep("");
    },
    isSaving: saving.isPending,
    isSaved: saving.isSuccess,
    error: saving.error !== null && !isConflict(saving.error) ? saving.error : null,
  };
}

/** A draft is kept with the version it was begun on, in its first line. */
function readDraft(kept: string): { base: string; text: string } | null {
  const at = kept.indexOf("\n");
  return at < 0 ? null : { base: kept.slice(0, at), text: kept.slice(at + 1) };
}

function isConflict(error: Error): boolean {
  return error instanceof ApiError && error.status === 409;
}
