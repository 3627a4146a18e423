/** The open files: tabs, the text in front, what can be done with it, and the terminal below. */

import { clsx } from "clsx";
import { FilePlus2, LoaderCircle, SquareTerminal, X } from "lucide-react";
import { type KeyboardEvent, lazy, type ReactNode, Suspense, useId, useRef } from "react";

import { IconButton } from "../../../ui/button";
import { CrashGuard } from "../../../ui/crash-guard";
import { ErrorPanel } from "../../../ui/error-panel";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { useCoachActions } from "../state/actions";
import { useDrafts, useFiles } from "../state/files";
import { useTerminal } from "../state/stores";
import { nameOf } from "../state/tree";
import { coachStrings } from "../strings";
import { BarButton, OpenFileView } from "./open-file";
import { usePanes } from "./panes";

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
