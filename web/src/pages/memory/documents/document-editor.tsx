/** One document: its text, how long it is, and what came of the last save. */

import { ArrowLeft } from "lucide-react";
import { type ReactNode, useState } from "react";

import { strings } from "../../../strings";
import { undoable } from "../../../toasts/toasts";
import { Answered } from "../../../ui/answered";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import { SaveButtons } from "../../../ui/save-buttons";
import { Skeleton } from "../../../ui/skeleton";
import { formatMoment } from "../../../ui/when";
import type { MemoryDocument, MemoryWritten } from "../../../wire/generated";
import { useDeleteDocument, useDocument, useSaveDocument } from "../hooks";
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
  return (
    <Answered
      query={useDocument(path)}
      words={{ loading: text.loading, failed: text.failedOne }}
      skeleton={<Skeleton className="mt-3 h-96" />}
    >
      {(found) => <Editor document={found} onClosed={onClosed} />}
    </Answered>
  );
}

function Editor({ document, onClosed }: { document: MemoryDocument; onClosed: (path: null) => void }): ReactNode {
  const { path } = document;
  const draft = useDrafts(({ drafts }) => drafts[path]);
  const { keep, drop } = useDrafts.getState();
  const [outcome, setOutcome] = useState<MemoryWritten | null>(null);
  const remove = useDeleteDocument(path, (undo) => {
    undoable(text.deleted(path), undo);
    drop(path);
    onClosed(null);
  });
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
      {remove.isError && <FormError id="document-delete-error" error={remove.error} />}
      <div className="mt-4 flex flex-wrap gap-2">
        <SaveButtons
          words={text}
          isChanged={draft !== undefined}
          isSaving={save.isPending}
          hasKey
          onUndo={() => {
            drop(path);
          }}
        />
        <Button
          look="quiet"
          className="ml-auto"
          disabled={remove.isPending}
          onClick={() => {
            remove.mutate(document);
          }}
        >
          {text.delete}
        </Button>
      </div>
    </form>
  );
}
