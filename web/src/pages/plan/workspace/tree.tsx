/** The files of the workspace, by what they are. */

import { clsx } from "clsx";
import { BookOpen, BookText, type LucideIcon, NotebookText, Sparkles, TriangleAlert, User, Users } from "lucide-react";
import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import type { PlanFile, PlanLessonItem, PlanProblem } from "../../../wire/generated";
import { useAddress } from "../address";
import { useFileDrafts } from "../editor/file-drafts";
import { useLessons, useOverview } from "../hooks";
import { Group, ROW, rowId } from "./group";

const text = planStrings.workspace;

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

export function Tree({ files }: { files: PlanFile[] }): ReactNode {
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
            <Row
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

function Row({ file, icon: Icon, lesson, problems }: RowProps): ReactNode {
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
