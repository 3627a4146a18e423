/** Two texts of one file: both are shown, and nothing is thrown away before one chooses. */

import { GitMerge } from "lucide-react";
import type { ReactNode } from "react";

import { coachStrings } from "../../../../strings-coach";
import { Button } from "../../../../ui/button";
import { useCoachActions } from "../../state/actions";

const text = coachStrings.editor;

export function Conflict({ path }: { path: string }): ReactNode {
  const { keepMine, takeTheirs } = useCoachActions();
  return (
    <section aria-label={text.conflict} className="border-b border-line bg-paper px-4 py-3">
      <div role="alert" className="flex gap-3">
        <GitMerge aria-hidden className="mt-1 size-5 shrink-0 text-warn" />
        <div>
          <p className="font-semibold">{text.conflict}</p>
          <p className="text-ink-soft">{text.conflictHint}</p>
        </div>
      </div>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button
          look="quiet"
          onClick={() => {
            keepMine(path);
          }}
        >
          {text.keepMine}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            takeTheirs(path);
          }}
        >
          {text.takeTheirs}
        </Button>
      </div>
    </section>
  );
}
