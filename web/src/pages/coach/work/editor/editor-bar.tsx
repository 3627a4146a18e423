/** The bar below a file: save, explain, changes, hints, terminal. */

import { CircleHelp, Diff, Lightbulb, Save } from "lucide-react";
import type { ReactNode } from "react";

import { MODIFIER } from "../../../../keyboard/shortcuts";
import { coachStrings } from "../../../../strings-coach";
import { useCoachActions } from "../../state/actions";
import { useDrafts } from "../../state/drafts";
import type { OpenFile } from "../../state/files";
import { BarButton } from "./bar-button";

const text = coachStrings.editor;

interface EditorBarProps {
  file: OpenFile;
  isConflict: boolean;
  isDiff: boolean;
  hints: number;
  hasSelection: boolean;
  onDiff: () => void;
  onExplain: () => void;
  onNextHint: () => void;
}

export function EditorBar(props: EditorBarProps): ReactNode {
  const { file, isConflict, isDiff, hints, hasSelection, onDiff, onExplain, onNextHint } = props;
  const isChanged = useDrafts(({ drafts }) => drafts[file.path] !== undefined);
  const { save } = useCoachActions();
  const isSaving = file.saving !== null;
  return (
    <div className="border-t border-line bg-paper">
      {file.error !== null && (
        <p role="alert" className="px-3 pt-2 text-base">
          <strong className="text-fail">{text.saveFailed}.</strong> {file.error}
        </p>
      )}
      <div className="flex flex-wrap items-center gap-1 px-2 py-1.5">
        <BarButton
          icon={Save}
          keys={`${MODIFIER} S`}
          shortcut="Control+S Meta+S"
          disabled={!isChanged || isSaving || isConflict}
          onClick={() => void save(file.path)}
        >
          {isSaving ? text.saving : text.save}
        </BarButton>
        <BarButton
          icon={CircleHelp}
          keys={`${MODIFIER} E`}
          shortcut="Control+E Meta+E"
          disabled={!hasSelection}
          title={hasSelection ? undefined : text.explainHint}
          onClick={onExplain}
        >
          {text.explain}
        </BarButton>
        <BarButton icon={Diff} disabled={!isChanged || isConflict} aria-pressed={isDiff && isChanged} onClick={onDiff}>
          {isDiff && isChanged ? text.diffShown : text.diff}
        </BarButton>
        {hints > 0 && (
          <BarButton icon={Lightbulb} keys="F8" shortcut="F8" onClick={onNextHint}>
            {coachStrings.hints.next}
          </BarButton>
        )}
        <p role="status" className="sr-only">
          {isChanged ? text.unsaved : text.saved}
        </p>
      </div>
    </div>
  );
}
