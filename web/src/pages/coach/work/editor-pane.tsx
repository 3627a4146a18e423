/** The open files: tabs, the text in front, what can be done with it, and the terminal below. */

import { clsx } from "clsx";
import {
  CircleHelp,
  Diff,
  FilePlus2,
  GitMerge,
  Lightbulb,
  LoaderCircle,
  type LucideIcon,
  Save,
  SquareTerminal,
  X,
} from "lucide-react";
import {
  type ComponentProps,
  type KeyboardEvent,
  lazy,
  type ReactNode,
  Suspense,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";

import { MODIFIER } from "../../../shell/shortcuts";
import { Button, IconButton } from "../../../ui/button";
import { CrashGuard, ErrorPanel } from "../../../ui/error-panel";
import { Awaited, late, useLate } from "../../../ui/late";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { useCoachActions } from "../state/actions";
import { isStale, nameOf, type OpenFile, useDrafts, useFiles } from "../state/files";
import { useDecorations } from "../state/hints";
import { useCoachSession } from "../state/session";
import { useTerminal } from "../state/stores";
import { coachStrings } from "../strings";
import { usePanes } from "./panes";
import type { Spot } from "./typing";

const text = coachStrings.files;

export function EditorPane(): ReactNode {
  const isTerminal = useTerminal((terminal) => terminal.isShown);
  return (
    <div className="flex h-full min-h-0 flex-col">
      <FileTabs />
      <div className="flex min-h-0 flex-1 flex-col">
        <Front />
      </div>
      {isTerminal && <TerminalPanel />}
    </div>
  );
}

function Front(): ReactNode {
  const { current, files, opening, failed } = useFiles();
  const { openFile } = useCoachActions();
  const file = current === null ? undefined : files[current];
  if (failed !== null) {
    return (
      <div className="px-5">
        <ErrorPanel
          title={text.failed(failed.path).replaceAll("`", "")}
          message={failed.message}
          hint={failed.hint}
          onRetry={() => {
            openFile(failed.path);
          }}
        />
      </div>
    );
  }
  if (file === undefined) {
    return (
      <div className="grid flex-1 place-items-center p-8">
        <p className="flex max-w-80 flex-col items-center gap-3 text-center text-ink-soft" role={opening === null ? undefined : "status"}>
          {opening === null ? <FilePlus2 aria-hidden className="size-8" /> : <LoaderCircle aria-hidden className="size-8 animate-spin" />}
          {opening === null ? text.empty : <Marked text={text.opening(opening)} />}
        </p>
      </div>
    );
  }
  return (
    <div id={PANEL_ID} role="tabpanel" aria-labelledby={`${PANEL_ID}-tab`} className="flex min-h-0 flex-1 flex-col">
      {file.isBinary ? <p className="p-5 text-ink-soft">{text.binary}</p> : <OpenFileView file={file} />}
    </div>
  );
}

// The open files, one in front.

const PANEL_ID = "coach-file";

function FileTabs(): ReactNode {
  const tabs = useFiles((files) => files.tabs);
  const current = useFiles((files) => files.current);
  const drafts = useDrafts((store) => store.drafts);
  const { openFile, closeFile } = useCoachActions();
  const list = useRef<HTMLDivElement>(null);
  if (tabs.length === 0) return null;
  const press = (event: KeyboardEvent): void => {
    const at = current === null ? 0 : tabs.indexOf(current);
    const step = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
    const next = step === undefined ? undefined : tabs[(at + step + tabs.length) % tabs.length];
    if (next !== undefined) {
      event.preventDefault();
      openFile(next);
      list.current?.querySelector<HTMLElement>(`[data-tab="${CSS.escape(next)}"]`)?.focus();
    }
    if (event.key === "Delete" && current !== null) closeFile(current);
  };
  return (
    <div className="flex overflow-x-auto border-b border-line bg-paper">
      <div ref={list} role="tablist" aria-label={text.tabs} tabIndex={-1} onKeyDown={press} className="flex">
        {tabs.map((path) => {
          const isCurrent = path === current;
          const isChanged = drafts[path] !== undefined;
          return (
            <button
              key={path}
              type="button"
              role="tab"
              data-tab={path}
              id={isCurrent ? `${PANEL_ID}-tab` : undefined}
              aria-selected={isCurrent}
              aria-controls={isCurrent ? PANEL_ID : undefined}
              tabIndex={isCurrent ? 0 : -1}
              title={path}
              onClick={() => {
                openFile(path);
              }}
              className={clsx(
                "flex min-h-10 items-center gap-2 border-r border-b-2 border-line px-3 text-base whitespace-nowrap -outline-offset-3",
                isCurrent ? "border-b-spine bg-card font-semibold" : "border-b-transparent text-ink-soft hover:text-ink",
              )}
            >
              {nameOf(path)}
              {isChanged && (
                <>
                  <span aria-hidden className="size-2 rounded-full bg-warn" />
                  <span className="sr-only">{text.unsaved}</span>
                </>
              )}
            </button>
          );
        })}
      </div>
      {current !== null && (
        <button
          type="button"
          aria-label={text.close(nameOf(current))}
          title={text.close(nameOf(current))}
          onClick={() => {
            closeFile(current);
          }}
          className="sticky right-0 ml-auto grid min-h-10 w-10 shrink-0 place-items-center bg-paper text-ink-soft -outline-offset-3 hover:text-ink"
        >
          <X aria-hidden className="size-4" />
        </button>
      )}
    </div>
  );
}

const terminalText = coachStrings.terminal;

const TerminalView = lazy(async () => ({ default: (await import("./terminal-view")).TerminalView }));

/** The terminal below the editor, fetched when it is opened first; or why there is none. */
function TerminalPanel(): ReactNode {
  const refused = useTerminal((terminal) => terminal.refused);
  const id = useId();
  const close = (): void => {
    useTerminal.setState({ isShown: false, refused: null });
  };
  return (
    <section aria-labelledby={id} className="flex h-72 shrink-0 flex-col border-t border-line bg-card">
      <div className="flex items-center gap-2 border-b border-line pl-3">
        <SquareTerminal aria-hidden className="size-4 text-door-ink" />
        <h2 id={id} className="font-sans text-base font-semibold">
          {terminalText.heading}
        </h2>
        {refused === null && <p className="ml-2 text-base text-ink-soft max-sm:hidden">{terminalText.leave}</p>}
        <IconButton label={terminalText.hide} onClick={close} className="ml-auto text-ink-soft hover:text-ink">
          <X aria-hidden className="size-4" />
        </IconButton>
      </div>
      {refused !== null ? (
        <div role="alert" className="p-4">
          <p className="font-semibold">{terminalText.refused}</p>
          <Marked className="block" text={refused.message} />
          {refused.hint !== null && <Marked className="block text-ink-soft" text={refused.hint} />}
        </div>
      ) : (
        <CrashGuard>
          <Suspense
            fallback={
              <Loading label={terminalText.loading}>
                <Skeleton className="m-3 h-40" />
              </Loading>
            }
          >
            <TerminalView />
          </Suspense>
        </CrashGuard>
      )}
    </section>
  );
}

/** Shows and hides the terminal. */
export function TerminalButton(): ReactNode {
  const isShown = useTerminal((terminal) => terminal.isShown);
  return (
    <BarButton
      icon={SquareTerminal}
      aria-pressed={isShown}
      onClick={() => {
        useTerminal.setState({ isShown: !isShown, refused: null });
        if (!isShown) usePanes.getState().show("editor");
      }}
      className="ml-auto"
    >
      {coachStrings.terminal.show}
    </BarButton>
  );
}

// One file: its text with what Paige has to say about it, and the bar below.

const openFileText = coachStrings.editor;
const KEYS_ID = "coach-editor-keys";
/** A selection counts when it has stood this long. */
const SELECTION_MS = 400;
const SCROLL_MS = 5000;

function OpenFileView({ file }: { file: OpenFile }): ReactNode {
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
                    label={isConflict ? openFileText.conflictLabel(path) : openFileText.diffLabel(path)}
                    language={language}
                    before={saved}
                    after={draft.text}
                  />
                </div>
              )}
              <div className={isDiff && draft !== undefined && !isConflict ? "hidden" : isConflict ? "h-1/2" : "h-full"}>
                <CodeView
                  path={path}
                  label={openFileText.label(path)}
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
        {openFileText.keys}
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
          <strong className="text-fail">{openFileText.saveFailed}.</strong> {file.error}
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
          {isSaving ? openFileText.saving : openFileText.save}
        </BarButton>
        <BarButton
          icon={CircleHelp}
          keys={`${MODIFIER} E`}
          shortcut="Control+E Meta+E"
          disabled={!hasSelection}
          title={hasSelection ? undefined : openFileText.explainHint}
          onClick={onExplain}
        >
          {openFileText.explain}
        </BarButton>
        <BarButton icon={Diff} disabled={!isChanged || isConflict} aria-pressed={isDiff && isChanged} onClick={onDiff}>
          {isDiff && isChanged ? openFileText.diffShown : openFileText.diff}
        </BarButton>
        {hints > 0 && (
          <BarButton icon={Lightbulb} keys="F8" shortcut="F8" onClick={onNextHint}>
            {coachStrings.hints.next}
          </BarButton>
        )}
        <p role="status" className="sr-only">
          {isChanged ? openFileText.unsaved : openFileText.saved}
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
function BarButton({ icon: Icon, keys, shortcut, children, className, ...props }: BarButtonProps): ReactNode {
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
    <section aria-label={openFileText.conflict} className="border-b border-line bg-paper px-4 py-3">
      <div role="alert" className="flex gap-3">
        <GitMerge aria-hidden className="mt-1 size-5 shrink-0 text-warn" />
        <div>
          <p className="font-semibold">{openFileText.conflict}</p>
          <p className="text-ink-soft">{openFileText.conflictHint}</p>
        </div>
      </div>
      <div className="mt-2 flex flex-wrap gap-2">
        <Button
          look="quiet"
          onClick={() => {
            keepMine(path);
          }}
        >
          {openFileText.keepMine}
        </Button>
        <Button
          look="quiet"
          onClick={() => {
            takeTheirs(path);
          }}
        >
          {openFileText.takeTheirs}
        </Button>
      </div>
    </section>
  );
}

// Fetches the editor when a file is opened first.

type Parts = typeof import("./code-view");

const PARTS = late(() => import("./code-view"));

export function WithEditor({ children }: { children: (parts: Parts) => ReactNode }): ReactNode {
  const { part, state, retry } = useLate(PARTS);
  if (part !== null) return children(part);
  return (
    <div className="px-4">
      <Awaited state={state} retry={retry} words={coachStrings.editor} className="my-4 h-80" />
    </div>
  );
}
