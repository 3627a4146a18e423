/** A file of the exercise to edit here, with its path for those who use an editor of their own. */

import { Copy, RotateCw } from "lucide-react";
import type { ReactNode } from "react";

import { sessionStrings } from "../../../../strings-study-session";
import { notify, notifyError } from "../../../../toasts/toasts";
import { Button, IconButton } from "../../../../ui/button";
import { QueryError } from "../../../../ui/error-panel";
import { FormError } from "../../../../ui/form-error";
import { Loading, Skeleton } from "../../../../ui/skeleton";
import { LoadedEditor } from "./load-editor";
import type { WorkFile } from "./use-file";

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

export function WhereItIs({ path }: { path: string }): ReactNode {
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
