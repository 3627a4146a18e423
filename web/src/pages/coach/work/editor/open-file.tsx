/** One file: its text with what Paige has to say about it, and the bar below. */

import { type ReactNode, useEffect, useMemo, useRef, useState } from "react";

import { coachStrings } from "../../../../strings-coach";
import { useCoachActions } from "../../state/actions";
import { isStale, useDrafts } from "../../state/drafts";
import { type OpenFile, useFiles } from "../../state/files";
import { useDecorations } from "../../state/hints";
import { useCoachSession } from "../../state/session";
import { usePanes } from "../layout/panes";
import { Conflict } from "./conflict";
import { EditorBar } from "./editor-bar";
import { WithEditor } from "./load-parts";
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
