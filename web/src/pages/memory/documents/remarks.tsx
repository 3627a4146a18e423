/** What an editor says about a document: how long it is, what came of a save, who else writes. */

import { CircleCheck, GitMerge, type LucideIcon, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { strings } from "../../../strings";
import { Marked } from "../../../ui/marked";
import type { MemoryWritten } from "../../../wire/generated";

const text = strings.memory.documents;
const ENTRY = "MEMORY.md";
/** Lines of a MEMORY.md that a prompt shows. */
const PROMPT_LINES = 200;

export function countLines(words: string): number {
  const trimmed = words.trim();
  return trimmed === "" ? 0 : trimmed.split("\n").length;
}

export function LengthRemark({ path, words }: { path: string; words: string }): ReactNode {
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
export function Saved({ outcome }: { outcome: MemoryWritten | null }): ReactNode {
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

export function Stale(): ReactNode {
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
