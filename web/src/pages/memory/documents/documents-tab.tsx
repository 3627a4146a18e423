/** The memory documents: those of the teacher, those of each class, and the one that is open. */

import { clsx } from "clsx";
import { FileText } from "lucide-react";
import { type ReactNode, useEffect } from "react";

import { strings } from "../../../strings";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { MemoryFile } from "../../../wire/generated";
import { useAddress } from "../address";
import { Empty } from "../../../ui/empty";
import { useFiles } from "../hooks";
import { useDrafts } from "./drafts";
import { DocumentEditor, focusDocument } from "./document-editor";
import { NewDocument } from "./new-document";

const text = strings.memory.documents;

export function DocumentsTab(): ReactNode {
  const files = useFiles();
  const { file, go } = useAddress();
  useWarningBeforeLeaving();
  const open = (path: string | null): void => {
    go({ file: path });
    if (path !== null) focusDocument();
  };
  if (files.data === undefined) {
    if (files.isError) return <QueryError title={text.failed} query={files} />;
    return (
      <Loading label={text.loading}>
        <Skeleton className="h-64" />
      </Loading>
    );
  }
  return (
    <div className="grid items-start gap-x-8 gap-y-6 lg:grid-cols-[16rem_minmax(0,1fr)]">
      {/* Where there is room for one only, the open document has it. */}
      <div className={file === null ? "" : "max-lg:hidden"}>
        <FileList files={files.data} open={file} onOpen={open} />
        <NewDocument onCreated={open} />
      </div>
      {file !== null ? (
        <DocumentEditor key={file} path={file} onClosed={open} />
      ) : files.data.length === 0 ? (
        <Empty title={text.empty} hint={text.emptyHint} />
      ) : (
        <p className="text-ink-soft">{text.choose}</p>
      )}
    </div>
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

/** The browser asks before it throws away what is not saved. */
function useWarningBeforeLeaving(): void {
  const isChanged = useDrafts(({ drafts }) => Object.keys(drafts).length > 0);
  useEffect(() => {
    if (!isChanged) return;
    const ask = (event: BeforeUnloadEvent): void => {
      event.preventDefault();
    };
    window.addEventListener("beforeunload", ask);
    return () => {
      window.removeEventListener("beforeunload", ask);
    };
  }, [isChanged]);
}
