/** The tree of a run beside the time it took, and everything about the chosen step. */

import { defaultRangeExtractor, useVirtualizer } from "@tanstack/react-virtual";
import { clsx } from "clsx";
import {
  ChevronRight,
  ChevronsDownUp,
  ChevronsUpDown,
  Circle,
  CircleX,
  ListVideo,
  ZoomIn,
  ZoomOut,
} from "lucide-react";
import {
  type KeyboardEvent,
  memo,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useId,
  useMemo,
  useRef,
  useState,
} from "react";

import { Button } from "../../../ui/button";
import { Answered } from "../../../ui/data/answered";
import { Card, Fact, Facts } from "../../../ui/data/facts";
import { formatMoment } from "../../../ui/data/when";
import { Tick } from "../../../ui/forms/field";
import { Marked } from "../../../ui/marked";
import { useMediaQuery } from "../../../ui/media";
import { Skeleton } from "../../../ui/skeleton";
import type { TraceDetail, TraceGate, TraceSpan } from "../../../wire/generated";
import { useSpan } from "../hooks";
import {
  KIND_ICONS,
  kindName,
  lookedUp,
  showCost,
  showCount,
  showShortCost,
  showShortTokens,
  showTime,
  showTokens,
} from "../marks";
import { traceStrings } from "../strings";
import { stepStrings } from "./strings";
import {
  above,
  buildTree,
  closer,
  idleTimes,
  makeTimeline,
  nameOf,
  openAtFirst,
  startingWith,
  type Timeline,
  tookOf,
  type Tree,
  type TreeNode,
  visibleNodes,
  type Wanted,
  wantedBy,
  withChildren,
} from "./tree";

const text = traceStrings.tree;

interface TimelineTabProps {
  detail: TraceDetail;
  nowUs: number;
  /** The step that is chosen at first. */
  first: string | null;
  onReplay: (step: string) => void;
}

export function TimelineTab({ detail, nowUs, first, onReplay }: TimelineTabProps): ReactNode {
  const tree = useMemo(() => buildTree(detail, nowUs), [detail, nowUs]);
  const [chosen, setChosen] = useState(() => (first !== null && tree.byId.has(first) ? first : ""));
  const [open, setOpen] = useState<ReadonlySet<string>>(() => {
    return new Set([...openAtFirst(tree), ...above(tree, tree.byId.get(chosen) ?? 0)]);
  });
  const [zoomed, setZoomed] = useState<string | null>(null);
  const idle = useMemo(() => idleTimes(tree.nodes), [tree]);
  const [isPacked, setPacked] = useState(true);
  const timeline = useMemo(() => {
    const whole = makeTimeline(tree.nodes, isPacked);
    const part = tree.nodes[tree.byId.get(zoomed ?? "") ?? 0];
    return zoomed === null || part === undefined ? whole : closer(whole, part);
  }, [tree, isPacked, zoomed]);
  const seen = useMemo(() => visibleNodes(tree, open), [tree, open]);
  const at = tree.byId.get(chosen) ?? 0;
  const node = tree.nodes[at];
  const apply = ({ to, open: opened, close }: Wanted): void => {
    const next = to === undefined ? undefined : tree.nodes[to];
    if (opened !== undefined || close !== undefined) {
      setOpen((before) => new Set([...before, ...(opened ?? [])].filter((id) => id !== close)));
    }
    // What is closed above the chosen one is chosen instead.
    if (close !== undefined && above(tree, at).includes(close)) setChosen(close);
    if (next === undefined || to === undefined) return;
    setChosen(next.id);
    setOpen((before) => (above(tree, to).every((id) => before.has(id)) ? before : new Set([...before, ...above(tree, to)])));
  };
  const toggleZoom = (): void => {
    setZoomed((before) => (before === chosen || chosen === "" ? null : chosen));
  };
  return (
    <>
      <Tools
        tree={tree}
        at={at}
        onGo={(to) => {
          apply({ to });
        }}
        onOpen={setOpen}
        onClose={() => {
          setOpen(new Set([""]));
          // The turn of the chosen step is the nearest of what is still seen.
          setChosen(above(tree, at)[1] ?? chosen);
        }}
      >
        {idle.length > 0 && <Tick label={text.packed} isTicked={isPacked} onTick={setPacked} />}
        {zoomed !== null && (
          <Button look="quiet" onClick={toggleZoom}>
            <ZoomOut aria-hidden className="size-4.5" />
            {text.unzoom}
          </Button>
        )}
      </Tools>
      <Waterfall tree={tree} seen={seen} open={open} at={at} timeline={timeline} onWanted={apply} onZoom={toggleZoom} />
      {node !== undefined && (
        <SpanPanel
          run={detail.run.id}
          node={node}
          startedUs={detail.startedUs}
          isZoomed={zoomed === node.id}
          onZoom={node.id === "" ? null : toggleZoom}
          onReplay={node.id === "" || node.kind === "turn" ? null : onReplay}
        />
      )}
    </>
  );
}

interface ToolsProps {
  tree: Tree;
  at: number;
  onGo: (to: number) => void;
  onOpen: (open: ReadonlySet<string>) => void;
  onClose: () => void;
  children: ReactNode;
}

function Tools({ tree, at, onGo, onOpen, onClose, children }: ToolsProps): ReactNode {
  const failures = useMemo(
    () => tree.nodes.flatMap(({ failed, kind }, place) => (failed && kind !== "turn" && kind !== "run" ? [place] : [])),
    [tree],
  );
  const all = useMemo(() => withChildren(tree.nodes), [tree]);
  const goToNext = (): void => {
    const here = tree.nodes[at]?.start ?? 0;
    const later = failures.find((place) => (tree.nodes[place]?.start ?? 0) > here || (tree.nodes[place]?.start === here && place > at));
    onGo(later ?? failures[0] ?? 0);
  };
  return (
    <div data-unprinted className="mb-3 flex flex-wrap items-center gap-x-3 gap-y-2">
      <Button
        look="quiet"
        onClick={() => {
          onOpen(all);
        }}
      >
        <ChevronsUpDown aria-hidden className="size-4.5" />
        {text.openAll}
      </Button>
      <Button look="quiet" onClick={onClose}>
        <ChevronsDownUp aria-hidden className="size-4.5" />
        {text.closeAll}
      </Button>
      {failures.length > 0 && (
        <Button look="quiet" onClick={goToNext}>
          <CircleX aria-hidden className="size-4.5 text-fail" />
          {text.nextFailed(failures.length)}
        </Button>
      )}
      {children}
    </div>
  );
}

const OVERSCAN = 8;
const ROW = { wide: 44, narrow: 60 };
/** Letters that come within this time belong together. */
const TYPING_MS = 700;

interface WaterfallProps {
  tree: Tree;
  /** The nodes that are seen, from top to bottom. */
  seen: readonly number[];
  open: ReadonlySet<string>;
  /** The chosen one. */
  at: number;
  timeline: Timeline;
  onWanted: (wanted: Wanted) => void;
  onZoom: () => void;
}

/**
 * The tree and the waterfall as one: a row for every step, its name on the left, its time on the right. Only
 * the rows in sight are in the document, so that ten thousand steps scroll as well as ten.
 */
function Waterfall({ tree, seen, open, at, timeline, onWanted, onZoom }: WaterfallProps): ReactNode {
  const id = useId();
  const box = useRef<HTMLDivElement | null>(null);
  const height = useMediaQuery("(min-width: 40rem)") ? ROW.wide : ROW.narrow;
  const row = seen.indexOf(at);
  // The rows change while this component does not: React must not take them for the same.
  // eslint-disable-next-line react-hooks/incompatible-library
  const rows = useVirtualizer({
    count: seen.length,
    getScrollElement: () => box.current,
    estimateSize: () => height,
    overscan: OVERSCAN,
    getItemKey: (place) => tree.nodes[seen[place] ?? 0]?.id ?? place,
    // The chosen row stays in the document: it is the one that has the focus.
    rangeExtractor: (range) => {
      const inSight = defaultRangeExtractor(range);
      return row < 0 || inSight.includes(row) ? inSight : [...inSight, row].sort((a, b) => a - b);
    },
  });
  useEffect(() => {
    rows.measure();
  }, [rows, height]);
  useEffect(() => {
    if (row >= 0) rows.scrollToIndex(row, { align: "auto" });
  }, [rows, row]);
  const typed = useRef({ letters: "", at: -TYPING_MS });
  const onKeyDown = (event: KeyboardEvent): void => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const wanted = wantedBy(event.key, { tree, seen, open, at });
    const isTyping = event.timeStamp - typed.current.at < TYPING_MS;
    if (wanted !== null) onWanted(wanted);
    else if (event.key.toLowerCase() === "z" && !isTyping) onZoom();
    else if (event.key === "Enter" || (event.key === " " && !isTyping)) toggle(at);
    else if (event.key.length === 1) jumpTo(event, isTyping);
    else return;
    event.preventDefault();
    event.stopPropagation();
  };
  const jumpTo = (event: KeyboardEvent, isTyping: boolean): void => {
    typed.current = { letters: (isTyping ? typed.current.letters : "") + event.key, at: event.timeStamp };
    const to = startingWith(typed.current.letters, { tree, seen, at }, nameOf);
    if (to !== null) onWanted({ to });
  };
  const toggle = (place: number): void => {
    const node = tree.nodes[place];
    if (node === undefined || node.children.length === 0) return;
    onWanted(open.has(node.id) ? { close: node.id } : { open: [node.id] });
  };
  const onClick = (event: MouseEvent): void => {
    const target = event.target instanceof Element ? event.target : null;
    const found = target?.closest<HTMLElement>("[data-place]");
    if (found === null || found === undefined) return;
    const place = Number(found.dataset.place);
    onWanted({ to: place });
    if (target?.closest("[data-toggle]") !== null) toggle(place);
  };
  return (
    <div className="overflow-hidden rounded-lg border border-line bg-card has-[[role=tree]:focus-visible]:outline-3 has-[[role=tree]:focus-visible]:outline-offset-2 has-[[role=tree]:focus-visible]:outline-(--focus)">
      <Head timeline={timeline} />
      <div
        ref={box}
        role="tree"
        tabIndex={0}
        aria-label={text.name}
        aria-describedby={`${id}-hint`}
        aria-activedescendant={row >= 0 ? `${id}-${at}` : undefined}
        onKeyDown={onKeyDown}
        onClick={onClick}
        className="max-h-[min(34rem,60vh)] min-h-44 overflow-x-hidden overflow-y-auto overscroll-contain outline-none"
      >
        <div role="none" className="relative" style={{ height: rows.getTotalSize() }}>
          {rows.getVirtualItems().map(({ index, start }) => {
            const place = seen[index] ?? 0;
            return (
              <TreeRow
                key={place}
                id={`${id}-${place}`}
                place={place}
                tree={tree}
                isOpen={open.has(tree.nodes[place]?.id ?? "")}
                isChosen={place === at}
                timeline={timeline}
                top={start}
                height={height}
              />
            );
          })}
        </div>
      </div>
      <p id={`${id}-hint`} data-unprinted className="border-t border-line px-3 py-2 text-base text-ink-soft max-sm:sr-only">
        {text.hint}
      </p>
    </div>
  );
}

function Head({ timeline }: { timeline: Timeline }): ReactNode {
  const { columns } = text;
  return (
    <div aria-hidden className={`${GRID} border-b border-edge py-2 pr-4 pl-3 text-base font-semibold max-sm:hidden`}>
      <span>{columns.name}</span>
      <span className="flex justify-between font-normal text-ink-soft tabular-nums">
        <span>0</span>
        <span>{showTime(timeline.length)}</span>
      </span>
      <span className="text-right">{columns.took}</span>
      <span className="text-right max-lg:hidden">{columns.tokens}</span>
      <span className="text-right max-lg:hidden">{columns.cost}</span>
    </div>
  );
}

// One step: how deep it lies, what it is called, when it ran, what it took.

const DEEPEST = 6;
const GRID =
  "grid items-center gap-x-4 grid-cols-[minmax(0,1fr)_auto] sm:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_5rem] " +
  "lg:grid-cols-[minmax(0,5fr)_minmax(0,5fr)_4.5rem_5.5rem_5rem]";
/** Of something that ran by itself, and of something that only holds others. */
const BARS: Record<string, string> = {
  model: "bg-accent",
  tool: "bg-spine",
  hook: "bg-edge",
  handoff: "bg-ink",
  gate: "border border-warn bg-[repeating-linear-gradient(135deg,var(--warn)_0_2px,transparent_2px_6px)]",
};
const HOLDER = "border border-edge bg-line/70";

interface TreeRowProps {
  id: string;
  place: number;
  tree: Tree;
  isOpen: boolean;
  isChosen: boolean;
  timeline: Timeline;
  top: number;
  height: number;
}

/** While somebody scrolls, only the rows that come into sight are drawn. */
const TreeRow = memo(function TreeRow({ id, place, tree, isOpen, isChosen, timeline, top, height }: TreeRowProps): ReactNode {
  const node = tree.nodes[place];
  if (node === undefined) return null;
  const isHolder = node.children.length > 0;
  return (
    <div
      id={id}
      data-place={place}
      role="treeitem"
      aria-level={node.level}
      aria-setsize={tree.nodes[node.parent]?.children.length ?? 1}
      aria-posinset={node.rank + 1}
      aria-expanded={isHolder ? isOpen : undefined}
      aria-selected={isChosen}
      className={clsx(
        GRID,
        "absolute inset-x-0 top-0 cursor-default border-b border-rule pr-4 pl-1 text-base",
        isChosen ? "bg-cover" : "hover:bg-line/40",
      )}
      style={{ height, transform: `translateY(${top}px)` }}
    >
      <span className="flex min-w-0 items-center" style={{ paddingLeft: `${Math.min(node.level - 1, DEEPEST) * 1.1}rem` }}>
        <span data-toggle={isHolder || undefined} className="grid h-11 w-7 shrink-0 place-items-center">
          {isHolder && <ChevronRight aria-hidden className={clsx("size-4.5 text-ink-soft transition-transform", isOpen && "rotate-90")} />}
        </span>
        <Name node={node} />
      </span>
      <Track node={node} timeline={timeline} />
      <span className="text-right whitespace-nowrap tabular-nums max-sm:col-start-2 max-sm:row-start-1">{showTime(tookOf(node))}</span>
      <span className="text-right whitespace-nowrap text-ink-soft tabular-nums max-lg:hidden">
        {node.hasCost && showShortTokens(node.tokensIn, node.tokensOut)}
      </span>
      <span title={node.isUnpriced ? showCost(node.cost, true) : undefined} className="truncate text-right text-ink-soft tabular-nums max-lg:hidden">
        {node.hasCost && showShortCost(node.cost, node.isUnpriced)}
      </span>
    </div>
  );
});

function Name({ node }: { node: TreeNode }): ReactNode {
  const Icon = KIND_ICONS[node.kind] ?? Circle;
  return (
    <>
      <Icon aria-hidden className="mr-2 size-4.5 shrink-0 text-ink-soft" />
      <span className="sr-only">{kindName(node.kind)} </span>
      <span className={clsx("truncate", (node.kind === "run" || node.kind === "turn") && "font-semibold")}>{nameOf(node)}</span>
      {node.failed && (
        <>
          <CircleX aria-hidden className="ml-2 size-4.5 shrink-0 text-fail" />
          <span className="sr-only">, {text.failed}</span>
        </>
      )}
    </>
  );
}

function Track({ node, timeline }: { node: TreeNode; timeline: Timeline }): ReactNode {
  const from = timeline.at(node.start);
  const to = timeline.at(node.start + node.length);
  const look = node.failed && BARS[node.kind] !== undefined ? "bg-fail" : (BARS[node.kind] ?? HOLDER);
  return (
    <span aria-hidden className="relative block h-3.5 max-sm:col-span-2 max-sm:mx-2 max-sm:h-2 max-sm:self-start">
      {timeline.gaps.map((gap) => (
        <span
          key={gap.at}
          title={text.gap(showTime(gap.length))}
          className="absolute -inset-y-2 border-x border-dotted border-edge bg-line/40"
          style={{ left: percent(gap.at), width: percent(gap.width) }}
        />
      ))}
      <span className={clsx("absolute inset-y-0 min-w-1 rounded-sm", look)} style={{ left: `min(${percent(from)}, 100% - 0.25rem)`, width: percent(to - from) }} />
    </span>
  );
}

function percent(share: number): string {
  return `${Math.round(share * 1e5) / 1e3}%`;
}

// Everything about the chosen step: time, tokens and cost, what it was given and what it said.

const spanPanelText = stepStrings.span;

interface SpanPanelProps {
  run: string;
  node: TreeNode;
  startedUs: number;
  isZoomed: boolean;
  onZoom: (() => void) | null;
  onReplay: ((step: string) => void) | null;
}

function SpanPanel({ run, node, startedUs, isZoomed, onZoom, onReplay }: SpanPanelProps): ReactNode {
  const Zoom = isZoomed ? ZoomOut : ZoomIn;
  return (
    <Card as="section" aria-label={spanPanelText.heading} className="mt-4" data-printed>
      <div className="flex flex-wrap items-start justify-between gap-x-4 gap-y-2">
        <h3 className="min-w-0 text-xl [overflow-wrap:anywhere]">
          {node.kind !== "turn" && <span className="text-ink-soft">{kindName(node.kind)} </span>}
          {nameOf(node)}
        </h3>
        <div data-unprinted className="flex flex-wrap gap-2">
          {onZoom !== null && (
            <Button look="quiet" onClick={onZoom}>
              <Zoom aria-hidden className="size-4.5" />
              {isZoomed ? traceStrings.tree.unzoom : traceStrings.tree.zoom}
            </Button>
          )}
          {onReplay !== null && (
            <Button
              look="quiet"
              onClick={() => {
                onReplay(node.gate === null ? node.id : node.gate.step);
              }}
            >
              <ListVideo aria-hidden className="size-4.5" />
              {spanPanelText.replay}
            </Button>
          )}
        </div>
      </div>
      <div className="mt-3 grid gap-x-10 lg:grid-cols-2">
        <Facts>
          <Fact name={spanPanelText.began}>{formatMoment(new Date((startedUs + node.start) / 1000).toISOString())}</Fact>
          <Fact name={spanPanelText.took}>{showTime(tookOf(node))}</Fact>
          <Fact name={spanPanelText.waited}>{node.kind !== "gate" && node.waited > 0 && showTime(node.waited)}</Fact>
          <Fact name={spanPanelText.tokens}>{node.hasCost && showTokens(node.tokensIn, node.tokensOut)}</Fact>
          <Fact name={spanPanelText.cost}>{node.hasCost && showCost(node.cost, node.isUnpriced)}</Fact>
          <Fact name={spanPanelText.step}>{node.gate === null && node.id !== "" && <code className="text-[0.9em]">{node.id}</code>}</Fact>
        </Facts>
        {node.gate === null && node.kind !== "turn" && <Attributes run={run} step={node.id} part="facts" />}
      </div>
      {node.gate !== null && <GateView gate={node.gate} />}
      {node.gate === null && node.kind !== "turn" && <Attributes run={run} step={node.id} part="texts" />}
    </Card>
  );
}

function Attributes({ run, step, part }: { run: string; step: string; part: "facts" | "texts" }): ReactNode {
  const span = useSpan(run, step);
  return (
    <Answered query={span} words={spanPanelText} skeleton={part === "facts" ? <Skeleton className="h-24" /> : null}>
      {(found) => {
        const { facts, tokens, texts } = attributesOf(found);
        return part === "texts" ? (
          texts.map(({ name, words }) => <Letters key={name} name={name} words={words} />)
        ) : (
          <Facts>
            {tokens.map(([name, value]) => (
              <Fact key={name} name={name}>
                {showCount(value)}
              </Fact>
            ))}
            {facts.map(([name, value]) => (
              <Fact key={name} name={name}>
                {value}
              </Fact>
            ))}
          </Facts>
        );
      }}
    </Answered>
  );
}

const TOKENS = [
  ["input_tokens", spanPanelText.fresh],
  ["cache_read_tokens", spanPanelText.cacheRead],
  ["cache_write_tokens", spanPanelText.cacheWrite],
  ["output_tokens", spanPanelText.output],
] as const;
const TEXTS: Record<string, string> = {
  input: spanPanelText.given,
  output: spanPanelText.said,
  task: spanPanelText.task,
  summary: spanPanelText.summary,
  context: spanPanelText.context,
  reason: spanPanelText.reason,
};
const ELSEWHERE = new Set<string>(["cost_usd", ...TOKENS.map(([key]) => key)]);

interface Sorted {
  tokens: [name: string, value: number][];
  facts: [name: string, value: string][];
  texts: { name: string; words: string }[];
}

/** The attributes of a span, sorted into what is counted, what is said in a word, and whole texts. */
function attributesOf({ attributes }: Pick<TraceSpan, "attributes">): Sorted {
  const sorted: Sorted = { tokens: [], facts: [], texts: [] };
  for (const [key, name] of TOKENS) {
    const value = attributes[key];
    if (typeof value === "number") sorted.tokens.push([name, value]);
  }
  for (const [key, value] of Object.entries(attributes)) {
    if (!ELSEWHERE.has(key)) sortIn(sorted, key, value);
  }
  return sorted;
}

function sortIn(sorted: Sorted, key: string, value: unknown): void {
  // A model's summary is a few counters, a subagent's is what it reported.
  if (key === "summary" && isTable(value)) {
    for (const [inner, each] of Object.entries(value)) sortIn(sorted, inner, each);
    return;
  }
  const named = TEXTS[key];
  if (named !== undefined) {
    const words = readable(value);
    if (words !== "") sorted.texts.push({ name: named, words });
    return;
  }
  const words = readable(value);
  if (words !== "") sorted.facts.push([lookedUp(spanPanelText.names, key, key.replaceAll("_", " ")), words]);
}

function readable(value: unknown): string {
  if (value === null || value === undefined) return "";
  return typeof value === "string" ? value : JSON.stringify(value, null, 2);
}

function isTable(value: unknown): value is Record<string, unknown> {
  return typeof value === "object" && value !== null && !Array.isArray(value);
}

// A question to a person, and what was answered.

export function GateView({ gate }: { gate: TraceGate }): ReactNode {
  return (
    <div className="mt-3">
      <p className="font-semibold">{gate.title}</p>
      {gate.text !== "" && <Marked className="mt-1 block max-h-80 overflow-y-auto whitespace-pre-wrap" text={gate.text} />}
      <div className="mt-2">
        <Facts>
          <Fact name={spanPanelText.asked}>{formatMoment(gate.openedAt)}</Fact>
          <Fact name={spanPanelText.answered}>{gate.answeredAt === null ? spanPanelText.unanswered : formatMoment(gate.answeredAt)}</Fact>
          <Fact name={spanPanelText.options}>{gate.options.join(", ")}</Fact>
        </Facts>
      </div>
      <ul className="mt-3 space-y-2 empty:hidden">
        {gate.answers.map(({ question, answer }, place) => (
          <li key={place} className="rounded border-l-4 border-l-warn bg-line/40 px-3 py-2">
            {question !== "" && <p className="text-base text-ink-soft">{question}</p>}
            <p className="whitespace-pre-wrap">{answer}</p>
          </li>
        ))}
      </ul>
      {gate.auto && <p className="mt-2 text-base text-ink-soft">{spanPanelText.auto}</p>}
    </div>
  );
}

interface LettersProps {
  name: ReactNode;
  words: string;
  /** Set as code, not as text. */
  isCode?: boolean;
  note?: ReactNode;
}

/** Words letter for letter under a name; long ones scroll in their place, by the keyboard too. */
export function Letters({ name, words, isCode = true, note }: LettersProps): ReactNode {
  const id = useId();
  return (
    <div className="mt-4">
      <p id={id} className="font-semibold">
        {name}
      </p>
      <div
        // A box that scrolls has to be reached by the keyboard.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        tabIndex={0}
        role="group"
        aria-labelledby={id}
        className="mt-1 max-h-80 overflow-auto rounded bg-line/50 px-3 py-2 [overflow-wrap:anywhere] whitespace-pre-wrap"
      >
        {isCode ? <code className="text-[0.9em]">{words}</code> : words}
      </div>
      {note}
    </div>
  );
}
