/** One file: its text with what Paige has to say about it, and the bar below. */

import { clsx } from "clsx";
import { CircleHelp, Diff, GitMerge, Lightbulb, type LucideIcon, Save } from "lucide-react";
import { type ComponentProps, type ReactNode, useEffect, useMemo, useRef, useState } from "react";

import { MODIFIER } from "../../../shell/shortcuts";
import { Button } from "../../../ui/button";
import { useCoachActions } from "../state/actions";
import { isStale, type OpenFile, useDrafts, useFiles } from "../state/files";
import { useDecorations } from "../state/hints";
import { useCoachSession } from "../state/session";
import { coachStrings } from "../strings";
import { WithEditor } from "./load-editor";
import { usePanes } from "./panes";
import type { Spot } from "./typing";

const text = coachStrings.editor;
const KEYS_ID = "coach-editor-keys";
/** A selection counts when it has stood this long. */
const SELECTION_MS = 400;
const SCROLL_MS = 5000;

export function OpenFileView({ file }: { file: OpenFile }): ReactNode {
  const { path, saved, language } = file;
  const draft = useDrafts(({ drafts }) => drafts[path]);
  const goTo = useFiles((files) => files.goTo);
  const hints = useDecorations(path);
  const balloons = useBalloons(path);
  const dismiss = useCoachSession((session) => session.dismiss);
  const [isDiff, setIsDiff] = useState(false);
  const [spot, setSpot] = useState<Spot | null>(null);
  const [nextHint, setNextHint] = useState(0);
  const { type, save, explain } = useCoachActions();
  const tellSelection = useToldSelection(path);
  const tellScroll = useToldScroll(path);
  const isConflict = draft !== undefined && isStale(saved, draft);
  const ask = ({ selected }: Spot): void => {
    if (selected === null) return;
    explain(path, language, selected);
    // Where only one part has room, the answer is what one wants to see.
    usePanes.getState().show("coach");
  };
  return (
    <>
      {isConflict && <Conflict path={path} />}
      <div className="min-h-0 flex-1 overflow-hidden bg-card max-lg:h-[55dvh] max-lg:flex-none">
        <WithEditor>
          {({ CodeView, DiffView }) => (
            <>
              {(isConflict || isDiff) && draft !== undefined && (
                <div className={isConflict ? "h-1/2 overflow-auto border-b border-line" : "h-full overflow-auto"}>
                  <DiffView
                    label={isConflict ? text.conflictLabel(path) : text.diffLabel(path)}
                    language={language}
                    before={saved}
                    after={draft.text}
                  />
                </div>
              )}
              <div className={isDiff && draft !== undefined && !isConflict ? "hidden" : isConflict ? "h-1/2" : "h-full"}>
                <CodeView
                  path={path}
                  label={text.label(path)}
                  described={KEYS_ID}
                  language={language}
                  value={draft?.text ?? saved}
                  hints={hints}
                  balloons={balloons}
                  goTo={goTo}
                  nextHint={nextHint}
                  onType={type}
                  onSave={() => void save(path)}
                  onExplain={ask}
                  onSelect={(now) => {
                    tellSelection(now);
                    setSpot((before) => (before?.selected === null && now.selected === null ? before : now));
                  }}
                  onHintShown={(lines) => {
                    tellSelection({
                      cursor: { line: lines.start, column: 1 },
                      selected: { range: { startLine: lines.start, endLine: lines.end }, text: "", around: "" },
                    });
                  }}
                  onDismiss={dismiss}
                  onScroll={tellScroll}
                />
              </div>
            </>
          )}
        </WithEditor>
      </div>
      <p id={KEYS_ID} className="sr-only">
        {text.keys}
      </p>
      <EditorBar
        file={file}
        isConflict={isConflict}
        isDiff={isDiff}
        hints={hints.length}
        hasSelection={spot?.selected !== undefined && spot.selected !== null}
        onDiff={() => {
          setIsDiff(!isDiff);
        }}
        onExplain={() => {
          if (spot !== null) ask(spot);
        }}
        onNextHint={() => {
          setNextHint((count) => count + 1);
        }}
      />
    </>
  );
}

/** Messages about lines of this file. */
function useBalloons(path: string): { id: number; line: number; text: string; kind: string }[] {
  const said = useCoachSession((session) => session.said);
  return useMemo(
    () =>
      said.flatMap(({ id, text: words, type: kind, anchor }) =>
        anchor?.path === path ? [{ id, line: anchor.endLine ?? anchor.startLine, text: words, kind }] : [],
      ),
    [said, path],
  );
}

/** Tells the server what is selected when it has stood for a moment, and each stretch of lines once in a row. */
function useToldSelection(path: string): (spot: Spot) => void {
  const { tell } = useCoachActions();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef("");
  useEffect(
    () => () => {
      clearTimeout(timer.current);
    },
    [path],
  );
  return ({ selected }) => {
    clearTimeout(timer.current);
    if (selected === null) return;
    timer.current = setTimeout(() => {
      const key = `${path} ${JSON.stringify(selected.range)}`;
      if (last.current === key) return;
      last.current = key;
      tell({ type: "editor:selection", payload: { path, range: selected.range, textLength: selected.text.length } });
    }, SELECTION_MS);
  };
}

function useToldScroll(path: string): () => void {
  const { tell } = useCoachActions();
  const last = useRef(0);
  return () => {
    if (performance.now() - last.current < SCROLL_MS) return;
    last.current = performance.now();
    tell({ type: "editor:scroll", payload: { path } });
  };
}

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

/** The bar below a file: save, explain, changes, hints, terminal. */
function EditorBar(props: EditorBarProps): ReactNode {
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

interface BarButtonProps extends ComponentProps<"button"> {
  icon: LucideIcon;
  keys?: string;
  /** The same key, as assistive technology wants it. */
  shortcut?: string;
}

/** A small button with an icon, a word and its key. */
export function BarButton({ icon: Icon, keys, shortcut, children, className, ...props }: BarButtonProps): ReactNode {
  return (
    <button
      type="button"
      aria-keyshortcuts={shortcut}
      {...props}
      className={clsx(
        "flex min-h-9 items-center gap-1.5 rounded-md px-2.5 text-base font-semibold text-ink transition-colors max-lg:min-h-11",
        "hover:bg-line aria-pressed:bg-cover disabled:cursor-not-allowed disabled:text-ink-soft disabled:hover:bg-transparent",
        className,
      )}
    >
      <Icon aria-hidden className="size-4 shrink-0 text-door-ink" />
      {children}
      {keys !== undefined && (
        <kbd aria-hidden className="font-sans text-sm font-normal text-ink-soft max-2xl:hidden">
          {keys}
        </kbd>
      )}
    </button>
  );
}

/** Two texts of one file: both are shown, and nothing is thrown away before one chooses. */
function Conflict({ path }: { path: string }): ReactNode {
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
