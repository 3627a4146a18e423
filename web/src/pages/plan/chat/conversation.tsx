/** A session: everything that happened in it, and where one goes on. */

import { ArrowDown } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useMemo } from "react";

import { MODIFIER, type PageKey, usePageKeys } from "../../../shell/shortcuts";
import { Button, IconButton } from "../../../ui/button";
import type { PlanTranscript } from "../../../wire/generated";
import { useAddress } from "../address";
import { useRuns } from "../hooks";
import { useLive } from "../live";
import { planStrings } from "../strings";
import { Announcer } from "./announcer";
import { noteSeen, takeLanding } from "./branching";
import { Composer } from "./composer";
import { FIND_ID, FindBar, openFind, useFind, useFindBox } from "./find-bar";
import { focusComposer } from "./focus";
import { ConversingContext, type ReadingPlace, useReading } from "./reading-place";
import { Rows } from "./rows";
import { RunView } from "./run-view";

const text = planStrings.chat;

export function Conversation({ transcript }: { transcript: PlanTranscript }): ReactNode {
  const { session, branches } = transcript;
  const runs = useRuns(transcript);
  const { pane, content, place, isAtEnd, hasNews } = useReading(useNewest(transcript));
  const isSearched = useFindBox((box) => box.session === session.id);
  const search = useFind(session.id, runs, place, content);
  const { find, go } = useAddress();
  const scroller = useCallback(() => pane.current, [pane]);
  useConversationKeys(session.id, place, runs.runs.length);
  useLandingRow(session.id, place);
  useEffect(() => {
    noteSeen(session.id, runs.runs);
  }, [session.id, runs.runs]);
  useEffect(() => {
    if (find !== null) useFindBox.getState().open(session.id, find);
  }, [session.id, find]);
  const last = transcript.runs.at(-1);
  const conversing = useMemo(() => ({ session: session.id, place, branches }), [session.id, place, branches]);
  return (
    <ConversingContext value={conversing}>
      <div className="flex flex-col lg:h-full">
        {isSearched && (
          <FindBar
            {...search}
            isReading={!runs.isWhole}
            onClose={() => {
              useFindBox.getState().close();
              if (find !== null) go({ find: null }, { replace: true });
              focusComposer();
            }}
          />
        )}
        <div className="relative flex min-h-0 flex-1 flex-col">
          {/* What is read is kept in its place by ourselves, also where browsers do not do it. */}
          <div ref={pane} className="min-h-0 flex-1 scroll-py-4 [overflow-anchor:none] lg:overflow-auto">
            <div ref={content} className={`${READING} py-6 [overflow-anchor:none] lg:pt-8`}>
              <h2 className="sr-only">{text.region}</h2>
              <Rows runs={runs} place={place} scroller={scroller}>
                {(run, isLast) => <RunView session={session.id} run={run} isLast={isLast} />}
              </Rows>
            </div>
          </div>
          {!isAtEnd && (
            <Newest
              hasNews={hasNews}
              onClick={() => {
                place.toEnd();
              }}
            />
          )}
        </div>
        <Announcer runs={transcript.runs} />
        <div className={READING}>
          <Composer session={session} lastRun={last} />
        </div>
      </div>
    </ConversingContext>
  );
}

/** The way to the end for who reads above; nobody is taken there. */
function Newest({ hasNews, onClick }: { hasNews: boolean; onClick: () => void }): ReactNode {
  return (
    <div
      data-unprinted
      className="pointer-events-none z-10 flex justify-center max-lg:fixed max-lg:right-4 max-lg:bottom-20 md:max-lg:bottom-4 lg:absolute lg:inset-x-0 lg:bottom-3"
    >
      {hasNews ? (
        <Button className="pointer-events-auto rounded-full! whitespace-nowrap shadow-md" onClick={onClick}>
          <ArrowDown aria-hidden className="size-4" />
          {text.newBelow}
        </Button>
      ) : (
        <IconButton
          label={text.toEnd}
          className="pointer-events-auto rounded-full! border border-edge bg-card text-ink shadow-md hover:border-accent hover:text-accent"
          onClick={onClick}
        >
          <ArrowDown aria-hidden className="size-5" />
        </IconButton>
      )}
    </div>
  );
}

/** Something else whenever something is new at the end. */
function useNewest({ total, runs }: PlanTranscript): string {
  const last = runs.at(-1);
  const written = useLive(({ writings }) => (last === undefined ? 0 : (writings[last.id]?.text.length ?? 0)));
  if (last === undefined) return "";
  return [total, last.state, last.said.length, last.gates.length, last.lesson, written].join();
}

// Ways through a conversation without a mouse, and to where one comes from.

const keysText = planStrings.keys;
const MOST_FRAMES = 60;

const KEYS: readonly PageKey[] = [
  { keys: [MODIFIER, "F"], does: keysText.find },
  { keys: ["Alt", "↑"], does: keysText.previous },
  { keys: ["Alt", "↓"], does: keysText.next },
  { keys: ["←", "→"], does: keysText.branches },
];

/** Ctrl+F searches the session (in its box the browser's own search opens); Alt with an arrow goes from request to request. */
function useConversationKeys(session: string, place: ReadingPlace, count: number): void {
  usePageKeys(keysText.heading, KEYS);
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      if (event.defaultPrevented || event.shiftKey || document.querySelector("[role=dialog], [role=alertdialog]") !== null) return;
      if (event.key.toLowerCase() === "f" && (event.ctrlKey || event.metaKey) && !event.altKey) {
        if (document.activeElement?.id === FIND_ID) return;
        event.preventDefault();
        openFind(session);
      }
      const by = event.key === "ArrowUp" ? -1 : event.key === "ArrowDown" ? 1 : 0;
      if (by === 0 || !event.altKey || event.ctrlKey || event.metaKey || isWriting(event.target)) return;
      event.preventDefault();
      const from = rowWithFocus() ?? (by < 0 ? place.firstRow() + 1 : place.firstRow() - 1);
      focusRow(place, Math.min(count - 1, Math.max(0, from + by)));
    };
    window.addEventListener("keydown", handle);
    return () => {
      window.removeEventListener("keydown", handle);
    };
  }, [session, place, count]);
}

/** Who chose another branch finds the request where the other one was, with the focus where it was. */
function useLandingRow(session: string, place: ReadingPlace): void {
  useEffect(() => {
    const landing = takeLanding(session);
    if (landing === null) return;
    const { row } = landing;
    place.showRow(row, landing.offset);
    soon(() => {
      const button = place.rowElement(row)?.querySelector<HTMLElement>(`[data-branches] [data-way=${landing.way}]`);
      button?.focus({ preventScroll: true });
      return button !== undefined && button !== null;
    });
  }, [session, place]);
}

function focusRow(place: ReadingPlace, row: number): void {
  place.showRow(row);
  soon(() => {
    const element = place.rowElement(row);
    element?.focus({ preventScroll: true });
    return element !== null;
  });
}

/** Tries in each frame until it is done: what is far away is drawn a little later. */
function soon(attempt: () => boolean, left = MOST_FRAMES): void {
  if (attempt() || left === 0) return;
  requestAnimationFrame(() => {
    soon(attempt, left - 1);
  });
}

function rowWithFocus(): number | null {
  const row = document.activeElement?.closest<HTMLElement>("[data-row]")?.dataset.row;
  return row === undefined ? null : Number(row);
}

/** In a text these keys move around in it. */
function isWriting(target: EventTarget | null): boolean {
  if (!(target instanceof HTMLElement)) return false;
  if (target instanceof HTMLTextAreaElement || target instanceof HTMLInputElement) return target.value !== "";
  return target.isContentEditable || target instanceof HTMLSelectElement;
}

/** As wide as lines are read well, in the middle of the pane. */
export const READING = "mx-auto w-full max-w-200 lg:px-6";
