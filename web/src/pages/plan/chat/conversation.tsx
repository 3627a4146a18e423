/** A session: everything that happened in it, and where one goes on. */

import {
  defaultRangeExtractor,
  type Range,
  useVirtualizer,
  useWindowVirtualizer,
  type Virtualizer,
} from "@tanstack/react-virtual";
import { ArrowDown } from "lucide-react";
import {
  Fragment,
  type ReactNode,
  type Ref,
  useCallback,
  useEffect,
  useLayoutEffect,
  useMemo,
  useRef,
  useState,
} from "react";

import { MODIFIER, type PageKey, usePageKeys } from "../../../shell/shortcuts";
import { Button, IconButton } from "../../../ui/button";
import { useRoom } from "../../../ui/panes/sizes";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { PlanRun, PlanTranscript } from "../../../wire/generated";
import { useAddress } from "../address";
import { useLive } from "../cache";
import { readInteraction } from "../gates/interaction";
import { type Runs, useRuns } from "../hooks";
import { planStrings } from "../strings";
import { Composer } from "./composer";
import { FIND_ID, FindBar, openFind, plainWords, useFind, useFindBox } from "./find-bar";
import { focusComposer } from "./focus";
import { ConversingContext, type ReadingPlace, useReading } from "./reading-place";
import { noteSeen, takeLanding } from "./request-view";
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

// Tells screen readers what is finished: a question, an answer, an end. While Paige writes, whole sentences are told,
// some at a time and after a rest; of a document only the headings. Never single words.

const announcerText = planStrings.chat.announce;
/** So long somebody is left to listen before more is told. */
const REST_MS = 4000;
/** Earlier ones have been read out. */
const MOST_LINES = 6;

function Announcer({ runs }: { runs: PlanRun[] }): ReactNode {
  const last = runs.at(-1);
  const news = newsOf(last);
  // What was there when the session was opened is no news.
  const [first] = useState(news);
  const [said, setSaid] = useState("");
  if (news !== null && news !== said && (said !== "" || news !== first)) setSaid(news);
  return (
    <>
      <p role="status" aria-live="polite" className="sr-only">
        {said}
      </p>
      {last?.state === "running" && <Written key={last.id} run={last.id} />}
    </>
  );
}

interface Line {
  id: number;
  words: string;
}

function Written({ run }: { run: string }): ReactNode {
  const lines = useSpoken(run);
  return (
    <div role="log" aria-live="polite" className="sr-only">
      {lines.map(({ id, words }) => (
        <p key={id}>{words}</p>
      ))}
    </div>
  );
}

function useSpoken(run: string): Line[] {
  const [lines, setLines] = useState<Line[]>([]);
  useEffect(() => {
    // Who comes in the middle reads what is there; only what is written from now on is told.
    let { step = "", text: before = "" } = useLive.getState().writings[run] ?? {};
    let upto = before.length;
    const tell = (fresh: string[]): void => {
      if (fresh.length === 0) return;
      setLines((known) => {
        const next = (known.at(-1)?.id ?? 0) + 1;
        return [...known, ...fresh.map((words, at) => ({ id: next + at, words }))].slice(-MOST_LINES);
      });
    };
    const listen = (): void => {
      const writing = useLive.getState().writings[run];
      if (writing?.step !== step) {
        tell(restOf(before, upto, announcerText.writes));
        ({ step = "", text: before = "" } = writing ?? {});
        upto = 0;
      }
      if (writing === undefined) return;
      before = writing.text;
      const complete = completeIn(before, Math.min(upto, before.length), announcerText.writes);
      upto = complete.upto;
      tell(complete.lines);
    };
    const timer = setInterval(listen, REST_MS);
    return () => {
      clearInterval(timer);
    };
  }, [run]);
  return lines;
}

/** What a run has come to; null while it works. */
export function newsOf(run: PlanRun | undefined): string | null {
  if (run === undefined) return null;
  switch (run.state) {
    case "waiting": {
      const open = run.gates.find(({ answeredAt }) => answeredAt === null);
      return open === undefined ? null : announcerText.asks(readInteraction(open.interaction)?.title ?? "");
    }
    case "ended":
      if (run.status !== "success") return announcerText.failed(run.reason ?? "");
      return run.lesson === null ? announcerText.done : announcerText.saved;
    case "interrupted":
      return announcerText.interrupted;
    case "running":
      return null;
  }
}

// What of an answer can be read out while it is written: whole sentences, and of a document its headings.

interface Spoken {
  /** What is new, in lines; empty when nothing is complete. */
  lines: string[];
  /** How much of the text has been taken. */
  upto: number;
}

/** Where a sentence or a line ends. */
const END = /[.!?…]["”’')\]]*(?=\s)|\n/g;
const HEADING = /^#{1,6}\s+(.+)$/;

/** What is complete in a text after what was taken before. `heading` says the heading of a document. */
export function completeIn(text: string, from: number, heading: (title: string) => string): Spoken {
  const fresh = text.slice(from);
  const last = [...fresh.matchAll(END)].at(-1);
  if (last === undefined) return { lines: [], upto: from };
  const length = last.index + last[0].length;
  const upto = from + length;
  return { lines: isDocument(text) ? headingsIn(fresh.slice(0, length), heading) : sentencesIn(fresh.slice(0, length)), upto };
}

/** What is left when nobody writes any more. */
export function restOf(text: string, from: number, heading: (title: string) => string): string[] {
  return completeIn(`${text}\n`, from, heading).lines;
}

/** A whole lesson is not read out while it is written; one hears how far it is. */
function isDocument(text: string): boolean {
  return /^#{1,2} /m.test(text);
}

function headingsIn(text: string, heading: (title: string) => string): string[] {
  return text.split("\n").flatMap((line) => {
    const title = HEADING.exec(line)?.[1];
    return title === undefined ? [] : [heading(plainWords(title))];
  });
}

function sentencesIn(text: string): string[] {
  const words = plainWords(text).replaceAll(/\s+/g, " ").trim();
  return words === "" ? [] : [words];
}

// The requests of a session below each other. Of a long session only those in sight are drawn, with some around them, so
// that two thousand messages are as quick as ten.

/** A session with more requests than this is drawn in parts. */
const LONG = 60;
const USUAL_PX = 420;
const AROUND = 3;

interface RowsProps {
  runs: Runs;
  place: ReadingPlace;
  scroller: () => HTMLElement | null;
  children: (run: PlanRun, isLast: boolean) => ReactNode;
}

function Rows(props: RowsProps): ReactNode {
  const isNarrow = useRoom() === "narrow";
  const { runs } = props.runs;
  if (runs.length > LONG) return isNarrow ? <RowsInWindow {...props} /> : <RowsInPane {...props} />;
  return (
    <div role="feed" aria-label={text.region}>
      {runs.map((_, at) => (
        <Row key={at} at={at} {...props} />
      ))}
    </div>
  );
}

interface RowProps extends RowsProps {
  at: number;
  ref?: Ref<HTMLElement>;
}

function Row({ at, ref, runs: { runs, want }, children }: RowProps): ReactNode {
  const run = runs[at] ?? null;
  useLayoutEffect(() => {
    if (run === null) want(at);
  }, [run, want, at]);
  const isLast = at === runs.length - 1;
  return (
    <article
      ref={ref}
      data-row={at}
      tabIndex={-1}
      aria-label={run === null ? text.loadingEarlier : run.prompt}
      aria-posinset={at + 1}
      aria-setsize={runs.length}
      className={`flex flex-col gap-5 rounded-md outline-offset-8 ${isLast ? "" : "pb-8"}`}
    >
      {run === null ? (
        <Loading label={text.loadingEarlier}>
          <Skeleton className="ml-auto h-12 w-1/2" />
          <Skeleton className="mt-4 h-80" />
        </Loading>
      ) : (
        children(run, isLast)
      )}
    </article>
  );
}

function RowsInPane(props: RowsProps): ReactNode {
  const [focused, setFocused] = useState<number | null>(null);
  const [margin, setMargin] = useState(0);
  // eslint-disable-next-line react-hooks/incompatible-library -- nothing of it is kept from one drawing to the next
  const virtualizer = useVirtualizer<HTMLElement, HTMLElement>({
    count: props.runs.runs.length,
    getScrollElement: props.scroller,
    estimateSize: () => USUAL_PX,
    overscan: AROUND,
    scrollMargin: margin,
    indexAttribute: "data-row",
    rangeExtractor: (range) => inSight(range, focused),
  });
  return <Drawn {...props} virtualizer={virtualizer} onFocused={setFocused} onMargin={setMargin} />;
}

function RowsInWindow(props: RowsProps): ReactNode {
  const [focused, setFocused] = useState<number | null>(null);
  const [margin, setMargin] = useState(0);
  const virtualizer = useWindowVirtualizer<HTMLElement>({
    count: props.runs.runs.length,
    estimateSize: () => USUAL_PX,
    overscan: AROUND,
    scrollMargin: margin,
    indexAttribute: "data-row",
    rangeExtractor: (range) => inSight(range, focused),
  });
  return <Drawn {...props} virtualizer={virtualizer} onFocused={setFocused} onMargin={setMargin} />;
}

interface DrawnProps<Scroller extends Element | Window> extends RowsProps {
  virtualizer: Virtualizer<Scroller, HTMLElement>;
  onFocused: (row: number | null) => void;
  onMargin: (px: number) => void;
}

function Drawn<Scroller extends Element | Window>({ virtualizer, onFocused, onMargin, ...props }: DrawnProps<Scroller>): ReactNode {
  const list = useRef<HTMLDivElement>(null);
  const { place, scroller } = props;
  useLayoutEffect(() => {
    onMargin(marginOf(list.current, scroller()));
    return takeOver(virtualizer, place);
  }, [virtualizer, place, scroller, onMargin]);
  // After every drawing, before it is seen: rows are rarely as high as was thought.
  useLayoutEffect(() => {
    place.settle();
  });
  useEffect(() => (list.current === null ? undefined : watchFocus(list.current, onFocused)), [onFocused]);
  const items = virtualizer.getVirtualItems();
  const end = virtualizer.options.scrollMargin + virtualizer.getTotalSize();
  return (
    <div ref={list} role="feed" aria-label={text.region}>
      {items.map(({ key, index, start }, at) => (
        <Fragment key={key}>
          <div aria-hidden style={{ height: start - (items[at - 1]?.end ?? virtualizer.options.scrollMargin) }} />
          <Row at={index} ref={virtualizer.measureElement} {...props} />
        </Fragment>
      ))}
      <div aria-hidden style={{ height: end - (items.at(-1)?.end ?? 0) }} />
    </div>
  );
}

/** How far below the top of what scrolls the list begins. */
function marginOf(list: HTMLElement | null, scroller: HTMLElement | null): number {
  if (list === null) return 0;
  const top = list.getBoundingClientRect().top;
  const isOwn = scroller !== null && /auto|scroll/.test(getComputedStyle(scroller).overflowY);
  return isOwn ? top - scroller.getBoundingClientRect().top + scroller.scrollTop : top + window.scrollY;
}

// Which rows of a long list are drawn, and who decides where they lie.

/** Those in sight and around it; always the one with the focus, and the last one, where things happen. */
function inSight(range: Range, focused: number | null): number[] {
  const drawn = new Set(defaultRangeExtractor(range));
  drawn.add(range.count - 1);
  if (focused !== null && focused < range.count) drawn.add(focused);
  return [...drawn].sort((one, other) => one - other);
}

/** The place of the reader is kept by who knows it, down to the line: the list itself moves nothing. */
function takeOver<Scroller extends Element | Window>(
  virtualizer: Virtualizer<Scroller, HTMLElement>,
  place: ReadingPlace,
): () => void {
  virtualizer.shouldAdjustScrollPositionOnItemSizeChange = () => false;
  place.locate = (row) => virtualizer.getOffsetForIndex(row, "start")?.[0] ?? 0;
  return () => {
    place.locate = null;
  };
}

/** Tells which row has the focus. */
function watchFocus(list: HTMLElement, onFocused: (row: number | null) => void): () => void {
  const note = ({ target }: FocusEvent): void => {
    const row = target instanceof Element ? target.closest<HTMLElement>("[data-row]")?.dataset.row : undefined;
    onFocused(row === undefined ? null : Number(row));
  };
  const drop = (): void => {
    onFocused(null);
  };
  list.addEventListener("focusin", note);
  list.addEventListener("focusout", drop);
  return () => {
    list.removeEventListener("focusin", note);
    list.removeEventListener("focusout", drop);
  };
}
