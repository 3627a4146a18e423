/** The left side: what was asked for before, and the files that plans are made from. */

import { clsx } from "clsx";
import {
  BookOpen,
  BookText,
  Brain,
  ChevronRight,
  CircleCheck,
  CircleDot,
  CircleSlash,
  GitBranch,
  LoaderCircle,
  type LucideIcon,
  NotebookText,
  PauseCircle,
  Search,
  Sparkles,
  TriangleAlert,
  User,
  Users,
} from "lucide-react";
import { type ReactNode, useState } from "react";
import { Link } from "wouter";

import { Button } from "../../ui/button";
import { When } from "../../ui/data/when";
import { QueryError } from "../../ui/error-panel";
import { NewFileForm } from "../../ui/forms/save-buttons";
import { useRested } from "../../ui/media";
import { useFold } from "../../ui/panes/sizes";
import { Loading, Skeleton } from "../../ui/skeleton";
import type { MemoryFile, PlanFile, PlanLessonItem, PlanProblem, PlanSession } from "../../wire/generated";
import { useAddress } from "./address";
import {
  useFileDrafts,
  useFiles,
  useLessons,
  useMemoryFiles,
  useOverview,
  useSaveFile,
  useSessions,
  useWaiting,
} from "./hooks";
import { planStrings } from "./strings";

const text = planStrings.workspace;

export function WorkspacePane(): ReactNode {
  return (
    <div className="flex flex-col gap-6 pt-4 pb-6 lg:px-3">
      <Sessions />
      <div>
        <h2 className="px-2 text-lg">{text.heading}</h2>
        <Files />
      </div>
    </div>
  );
}

function Files(): ReactNode {
  const files = useFiles();
  if (files.data === undefined) {
    if (files.isError) return <QueryError title={text.failed} query={files} />;
    return (
      <Loading label={text.loading}>
        <Skeleton className="mt-3 h-64" />
      </Loading>
    );
  }
  return (
    <>
      <Tree files={files.data} />
      <MemoryFiles />
      <NewFile />
    </>
  );
}

const sessionsText = planStrings.sessions;
const FIRST = 6;
const MOST = 200;
const REST_MS = 180;

const LOOKS: Record<PlanSession["state"] | "failed", { icon: LucideIcon; color: string }> = {
  running: { icon: LoaderCircle, color: "text-accent" },
  waiting: { icon: CircleDot, color: "text-warn" },
  ended: { icon: CircleCheck, color: "text-ok" },
  interrupted: { icon: PauseCircle, color: "text-warn" },
  failed: { icon: CircleSlash, color: "text-fail" },
};

/** Earlier requests: found by what was said in them, and gone on with. */
function Sessions(): ReactNode {
  const [words, setWords] = useState("");
  const [limit, setLimit] = useState(FIRST);
  const query = useRested(words.trim(), REST_MS);
  const waiting = useWaiting();
  // One more than is shown, to know whether there are more.
  const found = useSessions({ query, limit: limit + 1 });
  return (
    <section aria-labelledby="sessions-heading">
      <div className="flex items-baseline justify-between px-2">
        <h2 id="sessions-heading" className="text-lg">
          {sessionsText.heading}
        </h2>
        {waiting > 0 && <span className="text-sm font-semibold text-warn">{sessionsText.waiting(waiting)}</span>}
      </div>
      <form
        role="search"
        className="relative mx-2 mt-2"
        onSubmit={(event) => {
          event.preventDefault();
        }}
      >
        <Search aria-hidden className="pointer-events-none absolute top-3 left-3 size-4 text-ink-soft" />
        <input
          type="search"
          aria-label={sessionsText.search}
          placeholder={sessionsText.search}
          autoComplete="off"
          value={words}
          onChange={(event) => {
            setWords(event.target.value);
          }}
          className="min-h-10 w-full rounded-md border border-edge bg-card pr-2 pl-9 text-base placeholder:text-ink-soft"
        />
      </form>
      <p role="status" className="sr-only">
        {query !== "" && found.data !== undefined && sessionsText.found(Math.min(limit, found.data.sessions.length))}
      </p>
      <div className="mt-2">
        {found.data === undefined ? (
          <NotYet query={found} />
        ) : (
          <Rows sessions={found.data.sessions.slice(0, limit)} searched={words.trim()} />
        )}
        {found.data !== undefined && found.data.sessions.length > limit && limit < MOST && (
          <Button
            look="quiet"
            className="mx-2 mt-2"
            onClick={() => {
              setLimit(limit * 3);
            }}
          >
            {sessionsText.more}
          </Button>
        )}
      </div>
    </section>
  );
}

function NotYet({ query }: { query: ReturnType<typeof useSessions> }): ReactNode {
  if (query.isError) return <QueryError title={sessionsText.failed} query={query} />;
  return (
    <Loading label={sessionsText.loading}>
      <Skeleton className="mx-2 h-24" />
    </Loading>
  );
}

function Rows({ sessions, searched }: { sessions: PlanSession[]; searched: string }): ReactNode {
  if (sessions.length === 0) {
    return <p className="px-2 text-base text-ink-soft">{searched === "" ? sessionsText.empty : sessionsText.nothing}</p>;
  }
  return (
    <ul>
      {sessions.map((session) => (
        <Row key={session.id} session={session} searched={searched} />
      ))}
    </ul>
  );
}

function Row({ session, searched }: { session: PlanSession; searched: string }): ReactNode {
  const address = useAddress();
  const isOpen = address.session === session.id;
  const isFailed = session.state === "ended" && session.status !== null && session.status !== "success";
  const { icon: Icon, color } = LOOKS[isFailed ? "failed" : session.state];
  return (
    <li>
      <button
        type="button"
        aria-current={isOpen ? "true" : undefined}
        onClick={() => {
          // What was looked for among the sessions is shown in this one.
          address.openSession(session.id, searched);
        }}
        className={clsx(ROW, isOpen && "bg-cover font-semibold")}
      >
        <Icon aria-hidden className={clsx("mt-1 size-4 shrink-0", color, session.state === "running" && "animate-spin")} />
        <span className="min-w-0 flex-1">
          <span className="line-clamp-2 [overflow-wrap:anywhere]">{session.title ?? sessionsText.untitled}</span>
          {session.branchOf !== null && (
            <span className="line-clamp-1 text-sm font-normal [overflow-wrap:anywhere] text-ink-soft">
              <GitBranch aria-hidden className="mr-1 inline size-3.5" />
              <span className="sr-only">{planStrings.branches.of(session.branchOf.title ?? sessionsText.untitled)}</span>
              <span aria-hidden>{session.branchOf.title ?? sessionsText.untitled}</span>
            </span>
          )}
          <span className="block text-sm font-normal text-ink-soft">
            {isFailed ? sessionsText.failedState : sessionsText.states[session.state]} · <When at={session.updatedAt} />
          </span>
        </span>
      </button>
    </li>
  );
}

type GroupName = keyof typeof text.groups;

const ORDER: { name: GroupName; icon: LucideIcon; isOpen: boolean }[] = [
  { name: "lesson", icon: NotebookText, isOpen: true },
  { name: "units", icon: NotebookText, isOpen: true },
  { name: "worksheets", icon: NotebookText, isOpen: true },
  { name: "class", icon: Users, isOpen: true },
  { name: "profile", icon: User, isOpen: true },
  { name: "identity", icon: Sparkles, isOpen: true },
  { name: "curriculum", icon: BookOpen, isOpen: false },
  { name: "other", icon: BookText, isOpen: false },
];

/** The files of the workspace, by what they are. */
function Tree({ files }: { files: PlanFile[] }): ReactNode {
  const lessons = useLessons().data ?? [];
  const problems = useOverview().data?.problems ?? [];
  const { file, lesson } = useAddress();
  const groups = new Map<GroupName, PlanFile[]>();
  for (const each of files) groups.set(groupOf(each), [...(groups.get(groupOf(each)) ?? []), each]);
  return ORDER.map(({ name, icon, isOpen }) => {
    const members = groups.get(name) ?? [];
    if (members.length === 0 && name !== "lesson") return null;
    const holdsOpen = members.some(({ path }) => path === file || path === lesson);
    return (
      <Group key={name} name={text.groups[name]} count={members.length} isOpen={isOpen || holdsOpen}>
        {members.length === 0 && <p className="px-3 py-1 text-base text-ink-soft">{text.lessonsEmpty}</p>}
        <ul>
          {sorted(members, lessons).map((each) => (
            <TreeRow
              key={each.path}
              file={each}
              icon={icon}
              lesson={lessons.find(({ path }) => path === each.path)}
              problems={problems.filter(({ path }) => path === each.path)}
            />
          ))}
        </ul>
      </Group>
    );
  });
}

function groupOf({ path, kind }: PlanFile): GroupName {
  if (kind !== "lesson") return kind;
  const [folder] = path.split("/");
  return folder === "units" || folder === "worksheets" ? folder : "lesson";
}

/** Lessons as the server orders them, the latest first; everything else by its path. */
function sorted(files: PlanFile[], lessons: PlanLessonItem[]): PlanFile[] {
  const place = new Map(lessons.map(({ path }, at) => [path, at]));
  return [...files].sort((one, other) => {
    const difference = (place.get(one.path) ?? -1) - (place.get(other.path) ?? -1);
    return difference === 0 ? one.path.localeCompare(other.path) : difference;
  });
}

interface RowProps {
  file: PlanFile;
  icon: LucideIcon;
  lesson: PlanLessonItem | undefined;
  problems: PlanProblem[];
}

function TreeRow({ file, icon: Icon, lesson, problems }: RowProps): ReactNode {
  const address = useAddress();
  const isChanged = useFileDrafts(({ drafts }) => drafts[file.path] !== undefined);
  const isOpen = address.file === file.path || address.lesson === file.path;
  const notes = [lesson?.classId, lesson?.date].filter((note) => typeof note === "string").join(" · ");
  return (
    <li>
      <button
        type="button"
        id={rowId(file.path)}
        title={file.text ? file.path : text.notText}
        disabled={!file.text}
        aria-current={isOpen ? "true" : undefined}
        onClick={() => {
          if (file.kind === "lesson") address.openLesson(file.path);
          else address.openFile(file.path);
        }}
        className={clsx(ROW, isOpen && "bg-cover font-semibold")}
      >
        <Icon aria-hidden className="mt-1 size-4 shrink-0 text-ink-soft" />
        <span className="min-w-0 flex-1">
          <span className="block [overflow-wrap:anywhere]">{lesson?.title ?? nameOf(file)}</span>
          {notes !== "" && <span className="block text-sm font-normal text-ink-soft">{notes}</span>}
          {isChanged && <span className="block text-sm font-semibold text-warn">{text.changed}</span>}
          {problems.length > 0 && (
            <span className="flex items-center gap-1 text-sm font-normal text-warn">
              <TriangleAlert aria-hidden className="size-3.5" />
              {text.problems(problems.length)}
            </span>
          )}
        </span>
      </button>
    </li>
  );
}

function nameOf({ path, kind }: PlanFile): string {
  const name = path.split("/").at(-1) ?? path;
  if (kind === "class") return name.replace(/\.md$/, "");
  return text.names[path] ?? (kind === "other" ? path : name.replace(/\.md$/, ""));
}

/** Makes a file: a class begins with the parts that plans are made from. */
function NewFile(): ReactNode {
  const [path, setPath] = useState("");
  const { openFile } = useAddress();
  const save = useSaveFile(path.trim());
  return (
    <NewFileForm
      words={text}
      className="mx-2 mt-4"
      path={path}
      error={save.error}
      isBusy={save.isPending}
      onChange={(typed) => {
        setPath(typed);
        save.reset();
      }}
      onCreate={() => {
        save.mutate(
          { text: beginningOf(path.trim()) },
          {
            onSuccess: (written) => {
              setPath("");
              openFile(written.path);
            },
          },
        );
      }}
    />
  );
}

function beginningOf(path: string): string {
  const name = (path.split("/").at(-1) ?? path).replace(/\.md$/, "");
  return path.startsWith("classes/") ? text.classTemplate(name) : `# ${name}\n`;
}

const ENTRY = "MEMORY.md";

/** The memory documents, apart from files: they have an editor of their own, on the Memory page. */
function MemoryFiles(): ReactNode {
  const files = useMemoryFiles().data ?? [];
  return (
    <div className="mt-3 border-t border-rule pt-2">
      <Group name={text.memory} count={files.length} isOpen>
        <p className="px-3 pb-1 text-sm text-ink-soft">{files.length === 0 ? text.memoryEmpty : text.memoryHint}</p>
        <ul>
          {files.map((file) => (
            <li key={file.path}>
              <Link href={`/memory?${new URLSearchParams({ tab: "documents", file: file.path }).toString()}`} className={ROW}>
                <Brain aria-hidden className="mt-1 size-4 shrink-0 text-door-ink" />
                <span className="min-w-0 [overflow-wrap:anywhere]">{nameOfMemory(file)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Group>
    </div>
  );
}

function nameOfMemory({ path, classId }: MemoryFile): string {
  const name = path.split("/").at(-1) ?? path;
  if (name !== ENTRY) return text.memoryTopic(name.replace(/\.md$/, ""), classId);
  return classId === null ? text.memoryTeacher : text.memoryClass(classId);
}

// A group of rows that can be folded away.

const ROW =
  "flex min-h-9 w-full items-start gap-2.5 rounded-md px-3 py-1.5 text-left text-base leading-snug transition-colors " +
  "hover:bg-line/60 disabled:opacity-60 disabled:hover:bg-transparent max-lg:min-h-11";

/** Where the focus returns when a document is closed. */
export function rowId(path: string): string {
  return `plan-file-${path}`;
}

interface GroupProps {
  name: string;
  count: number;
  /** As long as nobody has decided. */
  isOpen: boolean;
  children: ReactNode;
}

function Group({ name, count, isOpen, children }: GroupProps): ReactNode {
  const [isUnfolded, fold] = useFold(`plan/${name}`, isOpen);
  return (
    <details open={isUnfolded} className="group mt-1">
      <summary
        // Not `toggle`: it comes later, when the page may be gone, and also when nobody decided.
        onClick={(event) => {
          event.preventDefault();
          fold(!isUnfolded);
        }}
        className="flex min-h-9 cursor-pointer items-center gap-1.5 rounded-md px-2 font-semibold text-ink-soft hover:text-accent"
      >
        <ChevronRight aria-hidden className="size-4 transition-transform group-open:rotate-90" />
        {name}
        <span className="text-sm font-normal">{count}</span>
      </summary>
      {children}
    </details>
  );
}
