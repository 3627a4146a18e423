/** The memory documents: those of the teacher, those of each class, and the one that is open. */

import { clsx } from "clsx";
import { FileText } from "lucide-react";
import type { ReactNode } from "react";

import { strings } from "../../../strings";
import { Answered } from "../../../ui/answered";
import { Empty } from "../../../ui/empty";
import { useWarningBeforeLeaving } from "../../../ui/leaving";
import { Skeleton } from "../../../ui/skeleton";
import type { MemoryFile } from "../../../wire/generated";
import { useAddress } from "../address";
import { useFiles } from "../hooks";
import { DocumentEditor, focusDocument } from "./document-editor";
import { useDrafts } from "./drafts";
import { NewDocument } from "./new-document";

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
