/** The memory documents, apart from files: they have an editor of their own, on the Memory page. */

import { Brain } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { planStrings } from "../../../strings-plan";
import type { MemoryFile } from "../../../wire/generated";
import { useMemoryFiles } from "../hooks";
import { Group, ROW } from "./group";

const text = planStrings.workspace;
const ENTRY = "MEMORY.md";

export function MemoryFiles(): ReactNode {
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
                <span className="min-w-0 [overflow-wrap:anywhere]">{nameOf(file)}</span>
              </Link>
            </li>
          ))}
        </ul>
      </Group>
    </div>
  );
}

function nameOf({ path, classId }: MemoryFile): string {
  const name = path.split("/").at(-1) ?? path;
  if (name !== ENTRY) return text.memoryTopic(name.replace(/\.md$/, ""), classId);
  return classId === null ? text.memoryTeacher : text.memoryClass(classId);
}
