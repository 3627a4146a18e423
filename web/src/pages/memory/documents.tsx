/** The memory documents: those of the teacher, those of each class, and the one that is open. */

import { clsx } from "clsx";
import { ArrowLeft, CircleCheck, FileText, GitMerge, type LucideIcon, TriangleAlert } from "lucide-react";
import { type ReactNode, useState } from "react";

import { strings } from "../../strings";
import { Button } from "../../ui/button";
import { Answered, Empty } from "../../ui/data/answered";
import { formatMoment } from "../../ui/data/when";
import { useWarningBeforeLeaving } from "../../ui/forms/drafts";
import { FormError } from "../../ui/forms/field";
import { NewFileForm, SaveButtons } from "../../ui/forms/save-buttons";
import { Marked } from "../../ui/marked";
import { Skeleton } from "../../ui/skeleton";
import { undoable } from "../../ui/toasts";
import type { MemoryDocument, MemoryFile, MemoryWritten } from "../../wire/generated";
import { useDrafts } from "./drafts";
import { useAddress, useDeleteDocument, useDocument, useFiles, useSaveDocument } from "./hooks";

const text = strings.memory.documents;

export function DocumentsTab(): ReactNode {
  const { file, go } = useAddress();
  useWarningBeforeLeaving(useDrafts(({ drafts }) => Object.keys(drafts).length > 0));
  const open = (path: string | null): void => {
    go({ file: path });
    if (path !== null) focusDocument();
  };
  return (
    <Answered query={useFiles()} words={text} skeleton={<Skeleton className="h-64" />}>
      {(files) => (
        <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
          {/* Where there is room for one only, the open document has it. */}
          <div className={file === null ? "" : "max-lg:hidden"}>
            <FileList files={files} open={file} onOpen={open} />
            <NewDocument onCreated={open} />
          </div>
          {file !== null ? (
            <DocumentEditor key={file} path={file} onClosed={open} />
          ) : files.length === 0 ? (
            <Empty title={text.empty} hint={text.emptyHint} />
          ) : (
            <p className="text-ink-soft">{text.choose}</p>
          )}
        </div>
      )}
    </Answered>
  );
}

interface FileListProps {
  files: MemoryFile[];
  open: string | null;
  onOpen: (path: string) => void;
}

function FileList({ files, open, onOpen }: FileListProps): ReactNode {
  if (files.length === 0) return null;
  const groups = new Map<string, MemoryFile[]>();
  for (const file of files) {
    const name = file.classId === null ? text.teacher : text.classOf(file.classId);
    groups.set(name, [...(groups.get(name) ?? []), file]);
  }
  return (
    <nav aria-label={text.list}>
      {[...groups].map(([name, members]) => (
        <section key={name} className="mb-4">
          <h2 className="text-lg">{name}</h2>
          <ul className="mt-1">
            {members.map((file) => (
              <FileRow key={file.path} file={file} isOpen={file.path === open} onOpen={onOpen} />
            ))}
          </ul>
        </section>
      ))}
    </nav>
  );
}

interface FileRowProps {
  file: MemoryFile;
  isOpen: boolean;
  onOpen: (path: string) => void;
}

function FileRow({ file, isOpen, onOpen }: FileRowProps): ReactNode {
  const isChanged = useDrafts(({ drafts }) => drafts[file.path] !== undefined);
  return (
    <li>
      <button
        type="button"
        aria-current={isOpen ? "true" : undefined}
        onClick={() => {
          onOpen(file.path);
        }}
        className={clsx(
          "flex min-h-11 w-full items-center gap-2.5 rounded-md px-3 py-1.5 text-left transition-colors hover:bg-card",
          isOpen && "bg-card font-semibold text-accent",
        )}
      >
        <FileText aria-hidden className="size-5 shrink-0 text-ink-soft" />
        <span className="min-w-0">
          <span className="block [overflow-wrap:anywhere]">{file.path.split("/").at(-1)}</span>
          <span className="block text-base font-normal text-ink-soft">
            {text.lines(file.lines)}
            {isChanged && <span className="font-semibold text-warn"> · {text.changed}</span>}
          </span>
        </span>
      </button>
    </li>
  );
}

const HEADING_ID = "document-heading";

interface DocumentEditorProps {
  path: string;
  onClosed: (path: null) => void;
}

/** One document: its text, how long it is, and what came of the last save. */
function DocumentEditor({ path, onClosed }: DocumentEditorProps): ReactNode {
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
function focusDocument(): void {
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

const ENTRY = "MEMORY.md";
/** Lines of a MEMORY.md that a prompt shows. */
const PROMPT_LINES = 200;

/** What an editor says about a document: how long it is, what came of a save, who else writes. */
function countLines(words: string): number {
  const trimmed = words.trim();
  return trimmed === "" ? 0 : trimmed.split("\n").length;
}

function LengthRemark({ path, words }: { path: string; words: string }): ReactNode {
  const count = countLines(words);
  const isEntry = path.split("/").at(-1) === ENTRY;
  return (
    <p id="document-length" className="mt-1.5 text-base text-ink-soft">
      {text.lines(count)}
      {!isEntry && ` · ${text.topic}`}
      {isEntry && count > PROMPT_LINES && <span className="font-semibold text-warn"> · {text.long(PROMPT_LINES)}</span>}
    </p>
  );
}

/** Always there, so that readers hear when it fills. */
function Saved({ outcome }: { outcome: MemoryWritten | null }): ReactNode {
  return <div role="status">{outcome !== null && <Outcome outcome={outcome} />}</div>;
}

function Outcome({ outcome }: { outcome: MemoryWritten }): ReactNode {
  if (outcome.conflicts > 0) {
    return (
      <Remark icon={TriangleAlert} color="text-warn" edge="border-l-warn" title={text.conflict(outcome.conflicts)}>
        {text.conflictHint}
      </Remark>
    );
  }
  if (outcome.merged) {
    return (
      <Remark icon={GitMerge} color="text-ok" edge="border-l-ok" title={text.merged}>
        {text.mergedHint}
      </Remark>
    );
  }
  return <Remark icon={CircleCheck} color="text-ok" edge="border-l-ok" title={outcome.changed ? text.saved : text.unchanged} />;
}

function Stale(): ReactNode {
  return (
    <div role="status">
      <Remark icon={GitMerge} color="text-warn" edge="border-l-warn" title={text.stale} />
    </div>
  );
}

interface RemarkProps {
  icon: LucideIcon;
  color: string;
  edge: string;
  title: string;
  children?: string;
}

function Remark({ icon: Icon, color, edge, title, children }: RemarkProps): ReactNode {
  return (
    <div className={`mt-3 flex gap-3 rounded-md border border-l-4 border-line bg-card px-4 py-2.5 ${edge}`}>
      <Icon aria-hidden className={`mt-1 size-5 shrink-0 ${color}`} />
      <div>
        <p className="font-semibold">{title}</p>
        {children !== undefined && <Marked className="block text-ink-soft" text={children} />}
      </div>
    </div>
  );
}

/** Makes an empty document. */
function NewDocument({ onCreated }: { onCreated: (path: string) => void }): ReactNode {
  const [path, setPath] = useState("");
  const save = useSaveDocument(path.trim());
  return (
    <NewFileForm
      words={text}
      path={path}
      error={save.error}
      isBusy={save.isPending}
      onChange={(typed) => {
        setPath(typed);
        save.reset();
      }}
      onCreate={() => {
        const name = path.trim().split("/").at(-2) ?? "";
        save.mutate(
          { text: name === "" ? "# \n" : `# ${name}\n`, base: "" },
          {
            onSuccess: (written) => {
              setPath("");
              onCreated(written.path);
            },
          },
        );
      }}
    />
  );
}
