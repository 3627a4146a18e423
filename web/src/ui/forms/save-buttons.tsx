/** The end of something that was changed: save it, or take the change back. */

import type { ReactNode } from "react";

import { Button } from "../button";

interface SaveButtonsProps {
  words: { save: string; saving: string; undo: string };
  isChanged: boolean;
  isSaving: boolean;
  /** Something else keeps it from being saved. */
  isHeld?: boolean;
  /** For editors, where Ctrl+S saves as well. */
  hasKey?: boolean;
  onUndo: () => void;
}

export function SaveButtons({ words, isChanged, isSaving, isHeld = false, hasKey = false, onUndo }: SaveButtonsProps): ReactNode {
  return (
    <>
      <Button
        type="submit"
        aria-keyshortcuts={hasKey ? "Control+S Meta+S" : undefined}
        disabled={!isChanged || isSaving || isHeld}
      >
        {isSaving ? words.saving : words.save}
      </Button>
      {isChanged && (
        <Button look="quiet" onClick={onUndo}>
          {words.undo}
        </Button>
      )}
    </>
  );
}
