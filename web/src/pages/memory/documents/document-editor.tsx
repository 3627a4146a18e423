/** One document: its text, how long it is, and what came of the last save. */

import { ArrowLeft } from "lucide-react";
import { type ReactNode, useState } from "react";

import { strings } from "../../../strings";
import { notify } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { FormError } from "../../../ui/form-error";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { MemoryDocument, MemoryWritten } from "../../../wire/generated";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { useDeleteDocument, useDocument, useSaveDocument } from "../hooks";
import { formatMoment } from "../../../ui/when";
import { useDrafts } from "./drafts";
import { LengthRemark, Saved, Stale } from "./remarks";

const text = strings.memory.documents;
const HEADING_ID = "document-heading";

interface DocumentEditorProps {
  path: string;
  onClosed: (path: null) => void;
}

export function DocumentEditor({ path, onClosed }: DocumentEditorProps): ReactNode {
  return (
    <div className="min-w-0">
      <Button
        look="quiet"
        className="mb-4 lg:hidden"
        onClick={() => {
          onClosed(null);
        }}
      >
        <ArrowLeft aria-hidden className="size-4" />
        {text.back}
      </Button>
      <h2 id={HEADING_ID} tabIndex={-1} className="text-xl [overflow-wrap:anywhere] outline-none">
        {path}
      </h2>
      <Content path={path} onClosed={onClosed} />
    </div>
  );
}

/** Tells readers which document was opened. */
export function focusDocument(): void {
  requestAnimationFrame(() => {
    document.getElementById(HEADING_ID)?.focus({ preventScroll: true });
  });
}

function Content({ path, onClosed }: DocumentEditorProps): ReactNode {
  const found = useDocument(path);
  if (found.data !== undefined) return <Editor document={found.data} onClosed={onClosed} />;
  if (found.isError) return <QueryError title={text.failedOne} query={found} />;
  return (
    <Loading label={text.loading}>
      <Skeleton className="mt-3 h-96" />
    </Loading>
  );
}

function Editor({ document, onClosed }: { document: MemoryDocument; onClosed: (path: null) => void }): ReactNode {
  const { path } = document;
  const draft = useDrafts(({ drafts }) => drafts[path]);
  const { keep, drop } = useDrafts.getState();
  const [outcome, setOutcome] = useState<MemoryWritten | null>(null);
  const [deleting, setDeleting] = useState(false);
  const save = useSaveDocument(path);
  const words = draft?.text ?? document.text;
  const submit = (): void => {
    if (draft === undefined || save.isPending) return;
    save.mutate(
      { text: draft.text, base: draft.base },
      {
        onSuccess: (written) => {
          drop(path);
          setOutcome(written);
        },
      },
    );
  };
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        submit();
      }}
    >
      <p className="text-base text-ink-soft">{text.written(document.writtenBy, formatMoment(document.updatedAt))}</p>
      <Saved outcome={outcome} />
      {draft !== undefined && draft.base !== document.version && <Stale />}
      <textarea
        aria-label={text.text(path)}
        aria-describedby="document-length"
        value={words}
        readOnly={save.isPending}
        rows={18}
        onChange={(event) => {
          setOutcome(null);
          keep(path, { text: event.target.value, base: draft?.base ?? document.version });
        }}
        onKeyDown={(event) => {
          if (event.key.toLowerCase() !== "s" || !(event.ctrlKey || event.metaKey)) return;
          event.preventDefault();
          submit();
        }}
        className="mt-3 block w-full rounded-md border border-edge bg-card p-3 font-mono text-base leading-relaxed"
      />
      <LengthRemark path={path} words={words} />
      {save.isError && <FormError id="document-error" error={save.error} />}
      <div className="mt-4 flex flex-wrap gap-2">
        <Button type="submit" aria-keyshortcuts="Control+S Meta+S" disabled={draft === undefined || save.isPending}>
          {save.isPending ? text.saving : text.save}
        </Button>
        {draft !== undefined && (
          <Button
            look="quiet"
            onClick={() => {
              drop(path);
            }}
          >
            {text.discard}
          </Button>
        )}
        <Button
          look="quiet"
          className="ml-auto"
          onClick={() => {
            setDeleting(true);
          }}
        >
          {text.delete}
        </Button>
      </div>
      {deleting && (
        <DeleteDialog
          document={document}
          onCancel={() => {
            setDeleting(false);
          }}
          onDeleted={() => {
            drop(path);
            onClosed(null);
          }}
        />
      )}
    </form>
  );
}

interface DeleteDialogProps {
  document: MemoryDocument;
  onCancel: () => void;
  onDeleted: () => void;
}

function DeleteDialog({ document, onCancel, onDeleted }: DeleteDialogProps): ReactNode {
  const remove = useDeleteDocument(document.path);
  return (
    <ConfirmDialog
      title={text.deleteTitle(document.path)}
      description={text.deleteDescription}
      confirm={text.deleteConfirm}
      cancel={text.keep}
      busy={remove.isPending}
      error={remove.error}
      onCancel={onCancel}
      onConfirm={() => {
        remove.mutate(document.version, {
          onSuccess: () => {
            notify(text.deleted(document.path));
            onDeleted();
          },
        });
      }}
    />
  );
}
