/** Two texts of one file: both are shown, and nothing is thrown away before one chooses. */

import { GitMerge } from "lucide-react";
import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import { WordDiff } from "../gates/word-diff";

const text = planStrings.editor;

interface ConflictProps {
  mine: string;
  theirs: string;
  isSaving: boolean;
  onKeepMine: () => void;
  onTakeTheirs: () => void;
}

export function Conflict({ mine, theirs, isSaving, onKeepMine, onTakeTheirs }: ConflictProps): ReactNode {
  return (
    <section aria-label={text.conflict} className="max-h-1/2 shrink-0 overflow-auto border-b border-line bg-paper px-4 py-3">
      <div role="status" className="flex gap-3">
        <GitMerge aria-hidden className="mt-1 size-5 shrink-0 text-warn" />
        <div>
          <p className="font-semibold">
            {text.stale} {text.conflict}.
          </p>
          <p className="text-ink-soft">{text.conflictHint}</p>
        </div>
      </div>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button look="quiet" disabled={isSaving} onClick={onKeepMine}>
          {text.keepMine}
        </Button>
        <Button look="quiet" disabled={isSaving} onClick={onTakeTheirs}>
          {text.takeTheirs}
        </Button>
      </div>
      <details className="mt-2" open>
        <summary className="cursor-pointer font-semibold">{text.differences}</summary>
        <WordDiff before={theirs} after={mine} className="mt-2 font-mono text-sm" />
      </details>
      <details className="mt-2">
        <summary className="cursor-pointer font-semibold">{text.theirs}</summary>
        <pre className="mt-2 font-mono text-sm whitespace-pre-wrap">{theirs}</pre>
      </details>
    </section>
  );
}
