/** The box that searches a session: every place, one after the other, by mouse or keyboard. */

import "./find.css";

import { ChevronDown, ChevronUp, X } from "lucide-react";
import { lexer, type Token, type Tokens } from "marked";
import {
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
  useDeferredValue,
  useEffect,
  useMemo,
  useState,
} from "react";
import { create } from "zustand";

import { IconButton } from "../../../ui/button";
import { SearchField } from "../../../ui/forms/search-field";
import { unescaped } from "../../../ui/markdown";
import type { PlanGate, PlanRun } from "../../../wire/generated";
import { answerWords, readInteraction, readReply } from "../gates/interaction";
import type { Runs } from "../hooks";
import { planStrings } from "../strings";
import type { ReadingPlace } from "./reading-place";

const text = planStrings.find;

interface FindBarProps {
  found: Found;
  at: number;
  /** Whether earlier messages are still being read. */
  isReading: boolean;
  step: (by: 1 | -1) => void;
  onClose: () => void;
}

export function FindBar({ found: { hits }, at, isReading, step, onClose }: FindBarProps): ReactNode {
  const words = useFindBox((box) => box.words);
  const stepByKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") onClose();
    else if (event.key === "Enter") step(event.shiftKey ? -1 : 1);
    else if (event.key === "ArrowDown") step(1);
    else if (event.key === "ArrowUp") step(-1);
    else return;
    event.preventDefault();
  };
  return (
    <div
      data-unprinted
      data-find-bar
      className="flex flex-wrap items-center gap-x-1 border-b border-line bg-paper py-2 max-lg:sticky max-lg:top-27 max-lg:z-10 max-lg:-mx-4 max-lg:px-4 lg:px-6"
    >
      <div className="min-w-52 flex-1 max-sm:basis-full">
        <SearchField
          id={FIND_ID}
          label={text.label}
          labelHidden
          placeholder={text.label}
          clear={text.clear}
          about={text.hint}
          keys="Control+F"
          value={words}
          onChange={useFindBox.getState().type}
          onKeyDown={stepByKey}
        />
      </div>
      <p role="status" className="min-w-24 px-2 text-center text-base text-ink-soft tabular-nums max-sm:mr-auto max-sm:px-1 max-sm:text-left">
        {words.trim() !== "" && (at >= 0 ? text.count(at + 1, hits.length) : isReading ? text.reading : text.nothing)}
      </p>
      <IconButton
        label={text.previous}
        disabled={hits.length === 0}
        onClick={() => {
          step(-1);
        }}
      >
        <ChevronUp aria-hidden className="size-5" />
      </IconButton>
      <IconButton
        label={text.next}
        disabled={hits.length === 0}
        onClick={() => {
          step(1);
        }}
      >
        <ChevronDown aria-hidden className="size-5" />
      </IconButton>
      <IconButton label={text.close} onClick={onClose}>
        <X aria-hidden className="size-5" />
      </IconButton>
    </div>
  );
}

/** Rows are drawn within a few frames, pages of them a little later. */
const MOST_FRAMES = 240;

interface Chosen {
  words: string;
  hit: Hit | null;
  from: number;
}

interface Search {
  found: Found;
  /** The place of the hit that is looked at; -1 when there is none. */
  at: number;
  step: (by: 1 | -1) => void;
}

/** The search in a session: what was found, which of it is looked at, and the way there. */
export function useFind(session: string, { runs, isWhole, wantAll }: Runs, place: ReadingPlace, content: RefObject<HTMLElement | null>): Search {
  const isOpen = useFindBox((box) => box.session === session);
  const words = useDeferredValue(useFindBox((box) => box.words.trim()));
  const found = useMemo(() => (isOpen ? findIn(runs, words) : NOTHING), [runs, words, isOpen]);
  const [chosen, setChosen] = useState<Chosen>({ words: "", hit: null, from: 0 });
  if (chosen.words !== words) {
    // While words are being typed, each is looked for from where one was.
    const from = chosen.words === "" ? place.firstRow() : chosen.from;
    setChosen({ words, hit: firstHit(found.hits, from), from });
  }
  const known = found.hits.findIndex((hit) => isSame(chosen.hit, hit));
  // What lies above may not have been read yet: then the nearest is not known either.
  const at = known >= 0 || !isWhole ? known : found.hits.length - 1;
  const hit = found.hits[at] ?? null;

  useEffect(() => {
    if (isOpen) wantAll();
  }, [isOpen, wantAll]);

  const { row, part, nth } = hit ?? { row: -1, part: "", nth: 0 };
  const { pattern } = found;
  useEffect(() => {
    if (pattern === null) return;
    let range: Range | null = null;
    const paint = (): void => {
      if (content.current !== null) mark(content.current, pattern, range);
    };
    const stopShowing = row < 0 ? null : show(place, { row, part, nth }, pattern, (shown) => {
      range = shown;
      paint();
    });
    paint();
    const observer = new MutationObserver(paint);
    if (content.current !== null) observer.observe(content.current, { childList: true, subtree: true, characterData: true });
    return () => {
      stopShowing?.();
      observer.disconnect();
      unmark();
    };
  }, [place, content, pattern, row, part, nth]);

  return {
    found,
    at,
    step: (by) => {
      const { length } = found.hits;
      const next = length === 0 ? undefined : found.hits[(Math.max(at, 0) + by + length) % length];
      if (next !== undefined) setChosen({ words, hit: next, from: next.row });
    },
  };
}

/** Brings a hit into sight as soon as it is drawn, and opens what hides it. */
function show(place: ReadingPlace, hit: Hit, pattern: RegExp, done: (range: Range | null) => void): () => void {
  let frame = 0;
  const look = (left: number): void => {
    const row = place.rowElement(hit.row);
    const part = row?.querySelector(`[data-part="${CSS.escape(hit.part)}"]`) ?? null;
    if (part === null) {
      if (row === null) place.showRow(hit.row);
      if (left > 0) frame = requestAnimationFrame(() => { look(left - 1); });
      return;
    }
    for (let fold = part.closest("details"); fold !== null; fold = fold.parentElement?.closest("details") ?? null) fold.open = true;
    const ranges = rangesIn(part, pattern);
    const range = ranges[Math.min(hit.nth, ranges.length - 1)] ?? null;
    place.showBox((range ?? part).getBoundingClientRect());
    done(range);
  };
  look(MOST_FRAMES);
  return () => {
    cancelAnimationFrame(frame);
  };
}

// Whether the search of a session is open, and for which words.

export const FIND_ID = "plan-find";

interface FindBoxStore {
  /** The session that is searched; null while the box is closed. */
  session: string | null;
  words: string;
  open: (session: string, words?: string) => void;
  type: (words: string) => void;
  close: () => void;
}

export const useFindBox = create<FindBoxStore>()((set) => ({
  session: null,
  words: "",
  open: (session, words) => {
    set((before) => ({ session, words: words ?? (before.session === session ? before.words : "") }));
  },
  type: (words) => {
    set({ words });
  },
  close: () => {
    set({ session: null, words: "" });
  },
}));

/** Opens the box, and writes go into it. */
export function openFind(session: string): void {
  useFindBox.getState().open(session);
  requestAnimationFrame(() => {
    const box = document.getElementById(FIND_ID);
    box?.focus();
    if (box instanceof HTMLInputElement) box.select();
  });
}

// Marks found words on the page without changing it, where the browser can do that.

const FOUND = "paige-found";
const NOW = "paige-found-now";

/** Where a pattern stands in what an element shows. */
export function rangesIn(element: Element, pattern: RegExp): Range[] {
  const nodes: { node: Text; start: number }[] = [];
  let words = "";
  const walker = document.createTreeWalker(element, NodeFilter.SHOW_TEXT);
  while (walker.nextNode() !== null) {
    const node = walker.currentNode as Text;
    nodes.push({ node, start: words.length });
    words += node.data;
  }
  const at = (place: number): [Text, number] | null => {
    const found = nodes.findLast(({ start }) => start <= place);
    return found === undefined ? null : [found.node, place - found.start];
  };
  return Array.from(words.matchAll(pattern)).flatMap(({ index, 0: match }) => {
    const start = at(index);
    const last = at(index + match.length - 1);
    if (start === null || last === null) return [];
    const range = document.createRange();
    range.setStart(...start);
    range.setEnd(last[0], last[1] + 1);
    return [range];
  });
}

/** Marks every place in what is drawn, and the one that is looked at. */
function mark(content: Element, pattern: RegExp, now: Range | null): void {
  if (!canMark()) return;
  const ranges = [...content.querySelectorAll("[data-part]")].flatMap((part) => rangesIn(part, pattern));
  CSS.highlights.set(FOUND, new Highlight(...ranges));
  if (now === null) CSS.highlights.delete(NOW);
  else CSS.highlights.set(NOW, new Highlight(now));
}

function unmark(): void {
  if (!canMark()) return;
  CSS.highlights.delete(FOUND);
  CSS.highlights.delete(NOW);
}

function canMark(): boolean {
  return typeof Highlight !== "undefined" && "highlights" in CSS;
}

// Finds words among everything that was said in a session, also where it is not drawn.

/** A piece that is searched; the page marks where it is drawn with the same name. */
interface Part {
  name: string;
  words: string;
}

/** The place of some words: in which row, in which part of it, and the how manieth there. */
interface Hit {
  row: number;
  part: string;
  nth: number;
}

interface Found {
  pattern: RegExp | null;
  hits: Hit[];
}

const NOTHING: Found = { pattern: null, hits: [] };

export function saidPart(place: number): string {
  return `said-${place}`;
}

export function gatePart({ gate, revision }: PlanGate): string {
  return `gate-${gate}/${revision}`;
}

/** The words as they stand; where that is nowhere, any of them. */
export function findIn(runs: readonly (PlanRun | null)[], words: string): Found {
  const each = words.split(/\s+/).filter((word) => word !== "");
  if (each.length === 0) return NOTHING;
  const escaped = each.map((word) => word.replaceAll(/[\\^$.*+?()[\]{}|/]/g, String.raw`\$&`));
  const together = searched(runs, new RegExp(escaped.join(String.raw`\s+`), "giu"));
  if (together.hits.length > 0 || each.length === 1) return together;
  return searched(runs, new RegExp(escaped.join("|"), "giu"));
}

function searched(runs: readonly (PlanRun | null)[], pattern: RegExp): Found {
  const hits = runs.flatMap((run, row) =>
    run === null
      ? []
      : partsOf(run).flatMap(({ name, words }) =>
          Array.from(words.matchAll(pattern), (_, nth) => ({ row, part: name, nth })),
        ),
  );
  return { pattern, hits };
}

/** Where to begin: at what is in sight or below it. */
export function firstHit(hits: readonly Hit[], row: number): Hit | null {
  return hits.find((hit) => hit.row >= row) ?? null;
}

function isSame(one: Hit | null, other: Hit): boolean {
  return one !== null && one.row === other.row && one.part === other.part && one.nth === other.nth;
}

/** Taking texts apart takes time; a run is only ever replaced as a whole. */
const known = new WeakMap<PlanRun, Part[]>();

function partsOf(run: PlanRun): Part[] {
  const before = known.get(run);
  if (before !== undefined) return before;
  const said = run.said.filter(({ role }) => role === "agent");
  const answered = run.gates.flatMap((gate) => {
    const interaction = readInteraction(gate.interaction);
    if (interaction === null || gate.reply === null) return [];
    return [{ name: gatePart(gate), words: answerWords(interaction, readReply(gate.reply)) }];
  });
  const parts = [
    { name: "prompt", words: run.prompt },
    ...said.map(({ text }, place) => ({ name: saidPart(place), words: plainWords(text) })),
    ...answered,
    { name: "reason", words: run.reason ?? "" },
  ];
  known.set(run, parts);
  return parts;
}

/** The words of a text without its marks, as they can be seen and searched. */
export function plainWords(markdown: string): string {
  return lexer(markdown).map(blockWords).join("\n");
}

function blockWords(token: Token): string {
  switch (token.type) {
    case "list":
      return (token as Tokens.List).items.map(({ tokens }) => tokens.map(blockWords).join("\n")).join("\n");
    case "table": {
      const { header, rows } = token as Tokens.Table;
      return [header, ...rows].map((row) => row.map(({ tokens }) => lineWords(tokens)).join("\n")).join("\n");
    }
    case "blockquote":
      return ((token as Tokens.Blockquote).tokens).map(blockWords).join("\n");
    case "checkbox":
    case "space":
      return "";
    default:
      return lineWords([token]);
  }
}

function lineWords(tokens: readonly Token[]): string {
  return tokens
    .map((token) => {
      if (token.type === "br") return "\n";
      if (token.type === "html" && token.raw.startsWith("<!--")) return "";
      if ("tokens" in token && Array.isArray(token.tokens)) return lineWords(token.tokens);
      if (!("text" in token) || typeof token.text !== "string") return "";
      return token.type === "text" ? unescaped(token.text) : token.text;
    })
    .join("");
}
