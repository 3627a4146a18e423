/** The open files, one in front. */

import { clsx } from "clsx";
import { X } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useRef } from "react";

import { coachStrings } from "../../../../strings-coach";
import { useCoachActions } from "../../state/actions";
import { useDrafts } from "../../state/drafts";
import { useFiles } from "../../state/files";
import { nameOf } from "../../state/tree";

const text = coachStrings.files;

export const PANEL_ID = "coach-file";

export function FileTabs(): ReactNode {
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
