/** The end of something that was changed: save it, or take the change back. */

import { clsx } from "clsx";
import type { ReactNode } from "react";

import { Button } from "../button";
import { TextField } from "./field";

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

// Makes an empty file: a path to type, what was wrong with it, and a button.

interface NewFileFormProps {
  words: { new: string; newPath: string; newHint: string; create: string; creating?: string };
  path: string;
  error: Error | null;
  isBusy: boolean;
  onChange: (path: string) => void;
  onCreate: () => void;
  className?: string;
}

export function NewFileForm({ words, path, error, isBusy, onChange, onCreate, className }: NewFileFormProps): ReactNode {
  return (
    <details className={clsx("rounded-lg border border-line p-3", className)}>
      <summary className="cursor-pointer font-semibold hover:text-accent">{words.new}</summary>
      <form
        className="mt-3 flex flex-col gap-3"
        onSubmit={(event) => {
          event.preventDefault();
          onCreate();
        }}
      >
        <TextField label={words.newPath} hint={words.newHint} error={error} value={path} onChange={onChange} />
        <Button type="submit" look="quiet" disabled={path.trim() === "" || isBusy}>
          {isBusy ? (words.creating ?? words.create) : words.create}
        </Button>
      </form>
    </details>
  );
}
