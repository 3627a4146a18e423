/** The graph explorer: every trace, and around one of them what led to it and what came of it. */

import { SlidersHorizontal } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useEffect, useRef, useState } from "react";
import { Link, useLocation } from "wouter";

import { locale } from "../../../locale/words";
import { GUARD_PATHS } from "../../../routes";
import { isFiltered } from "../../../ui/address-bar";
import { BackLink, More } from "../../../ui/button";
import { Answered, FoundList, ShowMore, Teaching, useShown } from "../../../ui/data/answered";
import { type Column, DataTable } from "../../../ui/data/data-table";
import { Fact, Facts } from "../../../ui/data/facts";
import { When } from "../../../ui/data/when";
import { Chips, Choice } from "../../../ui/forms/choice";
import { RestingSearch } from "../../../ui/forms/search-field";
import { Marked } from "../../../ui/marked";
import { useWidth } from "../../../ui/plots/plot";
import { Section } from "../../../ui/section";
import { Skeleton, SkeletonRows } from "../../../ui/skeleton";
import { plotStrings } from "../../../ui/strings";
import type {
  GraphAround,
  GraphEdge,
  GraphName,
  GraphNode,
  GraphOverview,
  GraphTrace,
  GraphTraces,
} from "../../../wire/generated";
import type { GraphFilter } from "../api";
import { AroundMap } from "./around-map";
import {
  type AddressBar,
  DEPTHS,
  NO_FILTER,
  NodeIcon,
  TypeMark,
  useAddress,
  useAround,
  useGraph,
  useTraces,
  wordOf,
} from "./marks";
import { graphStrings } from "./strings";

const text = graphStrings;

export default function GraphPage(): ReactNode {
  const { id } = useAddress();
  const graph = useGraph();
  if (id !== null) return <TraceView key={id} id={id} />;
  return (
    <Answered query={graph} words={text} skeleton={<Skeleton className="mt-6 h-96" />}>
      {(overview) => (overview.total === 0 ? <Teaching words={text.empty} /> : <TraceList overview={overview} />)}
    </Answered>
  );
}

const listText = graphStrings.list;
const FIRST = 40;
const MOST = 500;

/** The traces that fit, with a search by meaning; arrow keys go through them, Enter opens one. */
function TraceList({ overview }: { overview: GraphOverview }): ReactNode {
  const { filter, go } = useAddress();
  const [limit, showMore] = useShown(JSON.stringify(filter), FIRST, MOST);
  const found = useTraces(filter, limit);
  return (
    <Section heading={graphStrings.heading} className="mt-6">
      <RestingSearch key={filter.query === "" ? "empty" : "words"} words={listText} initial={filter.query} go={go} />
      <Filters overview={overview} filter={filter} go={go} />
      <Answered query={found} words={listText} skeleton={<SkeletonRows className="mt-6" />}>
        {(page) => (
          <>
            <Found found={page} isBusy={found.isPlaceholderData} />
            {page.traces.length < page.total && page.traces.length >= limit && showMore !== null && (
              <ShowMore words={listText.showMore} isBusy={found.isPlaceholderData} onMore={showMore} />
            )}
          </>
        )}
      </Answered>
    </Section>
  );
}

function Found({ found: { traces, total }, isBusy }: { found: GraphTraces; isBusy: boolean }): ReactNode {
  const { filter, go } = useAddress();
  return (
    <div className="mt-5">
      <FoundList
        isBusy={isBusy}
        count={total === 0 ? null : `${listText.count(traces.length, total)}, ${filter.query === "" ? listText.newest : listText.byMeaning}`}
        words={listText}
        isFiltered={isFiltered(filter)}
        onTakeAway={() => {
          go(NO_FILTER, { replace: true });
        }}
      >
        {traces.map((trace) => (
          <li key={trace.id}>
            <TraceRow trace={trace} />
          </li>
        ))}
      </FoundList>
    </div>
  );
}

function TraceRow({ trace }: { trace: GraphTrace }): ReactNode {
  const { href } = useAddress();
  const { context, event } = trace;
  return (
    <Link
      href={href({ id: trace.id })}
      ref={focusIfOpened(trace.id)}
      data-trace
      onClick={() => {
        opened.id = trace.id;
      }}
      onKeyDown={moveWithArrows}
      className="block px-2 py-2.5 transition-colors hover:bg-card"
    >
      <span className="flex flex-wrap items-baseline gap-x-3">
        <TypeMark type={trace.type} />
        <span className="line-clamp-2 min-w-0 flex-1 basis-60 [overflow-wrap:anywhere]">
          <Marked text={event.whatHappened === "" ? trace.action || listText.untold : event.whatHappened} />
        </span>
      </span>
      {event.why !== "" && <Marked className="mt-0.5 line-clamp-1 text-base text-ink-soft" text={event.why} />}
      <span className="mt-0.5 flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft">
        <When as="recent" at={trace.timestamp} />
        {context.agent !== "" && <span>{context.agent}</span>}
        {context.feature !== "" && <span>{context.feature}</span>}
        {trace.rule !== "" && <span className="[overflow-wrap:anywhere]">{trace.rule}</span>}
      </span>
    </Link>
  );
}

/** Who comes back from a trace goes on where they were in the list. */
const opened: { id: string | null } = { id: null };

function focusIfOpened(id: string): (row: HTMLElement | null) => void {
  return (row) => {
    if (row === null || opened.id !== id) return;
    opened.id = null;
    row.focus();
  };
}

/** The arrow keys go through the list. */
function moveWithArrows(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const rows = [...document.querySelectorAll<HTMLElement>("[data-trace]")];
  const at = rows.findIndex((row) => row === event.currentTarget);
  rows[at + step]?.focus();
}

const TYPES = ["violation", "correction", "decision", "approval"] as const satisfies GraphTrace["type"][];

interface FiltersProps {
  overview: GraphOverview;
  filter: GraphFilter;
  go: AddressBar["go"];
}

/** Which traces are shown: by type at once, by agent, feature and rule one step further. */
function Filters({ overview, filter, go }: FiltersProps): ReactNode {
  const hasMore = [filter.agent, filter.feature, filter.rule, filter.file].some((value) => value !== null);
  return (
    <>
      <Chips
        label={listText.type}
        className="mt-4"
        value={filter.type}
        all={listText.chip(listText.all, overview.total)}
        options={TYPES.map((type) => [type, listText.chip(graphStrings.types[type], overview.types[type] ?? 0)])}
        onChoose={(type) => {
          go({ type }, { replace: true });
        }}
      />
      <More words={listText.more} icon={SlidersHorizontal} isOpen={hasMore} className="mt-3">
        <div className="mt-2 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
          <Named name="agent" found={overview.agents} filter={filter} go={go} />
          <Named name="feature" found={overview.features} filter={filter} go={go} />
          <Named name="rule" found={overview.rules} filter={filter} go={go} />
          {filter.file !== null && <Named name="file" found={[]} filter={filter} go={go} />}
        </div>
      </More>
    </>
  );
}

interface NamedProps extends Pick<FiltersProps, "filter" | "go"> {
  name: "agent" | "feature" | "rule" | "file";
  found: readonly GraphName[];
}

function Named({ name, found, filter, go }: NamedProps): ReactNode {
  return (
    <Choice
      label={listText.filters[name]}
      any={listText.any[name]}
      value={filter[name]}
      options={found.map((each) => [each.name, listText.option(each.name, each.count)])}
      onChoose={(value) => {
        go({ [name]: value }, { replace: true });
      }}
    />
  );
}

const oneText = graphStrings.one;

/** One trace: what happened, what is right and why, and the drawing of what stands around it. */
function TraceView({ id }: { id: string }): ReactNode {
  const { depth, href } = useAddress();
  const around = useAround(id, depth);
  return (
    <div className="mt-5">
      <BackLink href={href({ id: null, depth: null })}>{oneText.back}</BackLink>
      <Answered query={around} words={oneText} skeleton={<Skeleton className="mt-4 h-96" />}>
        {(found) => (
          <>
            <TraceText trace={found.trace} />
            <AroundSection around={found} isBusy={around.isPlaceholderData} />
          </>
        )}
      </Answered>
    </div>
  );
}

function TraceText({ trace }: { trace: GraphTrace }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  const { event, context } = trace;
  useEffect(() => {
    // Another trace was opened in place of this page's last one: readers hear which.
    heading.current?.focus({ preventScroll: true });
  }, []);
  return (
    <section aria-labelledby="trace-heading" className="mt-1">
      <p className="flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft">
        <TypeMark type={trace.type} />
        <When as="recent" at={trace.timestamp} />
        <code className="text-[0.9em]">{trace.id}</code>
      </p>
      <h2 id="trace-heading" ref={heading} tabIndex={-1} className="mt-1 max-w-4xl text-xl outline-none [overflow-wrap:anywhere]">
        <Marked text={event.whatHappened === "" ? trace.action || graphStrings.list.untold : event.whatHappened} />
      </h2>
      <div className="mt-4 grid grid-cols-1 gap-x-10 gap-y-4 lg:grid-cols-2">
        <div className="flex flex-col gap-3">
          <Said name={oneText.correct} words={event.whatWasCorrect} />
          <Said name={oneText.why} words={event.why} />
        </div>
        <Facts>
          <Fact name={oneText.action}>{trace.action}</Fact>
          <Fact name={oneText.target}>{trace.target !== "" && <code className="text-[0.95em]">{trace.target}</code>}</Fact>
          <Fact name={oneText.rule}>{trace.rule !== "" && <code className="text-[0.95em]">{trace.rule}</code>}</Fact>
          <Fact name={oneText.agent}>{context.agent}</Fact>
          <Fact name={oneText.feature}>{context.feature}</Fact>
          <Fact name={oneText.task}>{context.task}</Fact>
          <Fact name={oneText.files}>{trace.files.join(", ")}</Fact>
          <Fact name={oneText.session}>{trace.session}</Fact>
          <Fact name={oneText.scope}>{trace.scope !== null && oneText.scopes[trace.scope]}</Fact>
          <Fact name={oneText.source}>{sourceOf(trace)}</Fact>
        </Facts>
      </div>
    </section>
  );
}

function sourceOf({ source, confidence }: GraphTrace): string {
  if (source === null) return "";
  const sure = confidence !== null && confidence < 1 ? ` (${oneText.sure(confidence)})` : "";
  return `${graphStrings.sources[source]}${sure}`;
}

function Said({ name, words }: { name: string; words: string }): ReactNode {
  if (words === "") return null;
  return (
    <div className="border-l-4 border-spine pl-4">
      <p className="text-base text-ink-soft">{name}</p>
      <Marked className="block text-lg" text={words} />
    </div>
  );
}

// What led to a trace and what came of it: a drawing, or lists where there is no room for one, and a table.

const aroundSectionText = graphStrings.around;
const NARROWEST_MAP = 560;

function AroundSection({ around, isBusy }: { around: GraphAround; isBusy: boolean }): ReactNode {
  const [ref, width] = useWidth<HTMLElement>();
  const open = useOpen();
  return (
    <section ref={ref} aria-labelledby="around-heading" aria-busy={isBusy} className="mt-8">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 id="around-heading" className="text-xl">
          {aroundSectionText.heading}
        </h2>
        <Depth />
      </div>
      {around.edges.length === 0 ? (
        <p className="mt-3 text-ink-soft">{aroundSectionText.alone}</p>
      ) : (
        <>
          {width < NARROWEST_MAP ? (
            <AroundLists around={around} onOpen={open} />
          ) : (
            <>
              <p className="mt-1 mb-3 text-base text-ink-soft">{aroundSectionText.hint}</p>
              <AroundMap around={around} width={width} onOpen={open} />
              <Legend around={around} />
            </>
          )}
          <EdgeTable around={around} />
        </>
      )}
    </section>
  );
}

function Depth(): ReactNode {
  const { depth, go } = useAddress();
  return (
    <label className="flex items-center gap-2 text-base">
      <span className="text-ink-soft">{aroundSectionText.depth}</span>
      <select
        value={depth}
        onChange={(event) => {
          go({ depth: event.target.value }, { replace: true });
        }}
        className="min-h-11 rounded-md border border-edge bg-card px-3"
      >
        {DEPTHS.map((each) => (
          <option key={each} value={each}>
            {aroundSectionText.steps(each)}
          </option>
        ))}
      </select>
    </label>
  );
}

/** Only the signs that are in the drawing. */
function Legend({ around: { nodes, leftOut } }: { around: GraphAround }): ReactNode {
  const counts = new Map<string, { node: GraphNode; count: number }>();
  for (const node of nodes) {
    const word = wordOf(node);
    counts.set(word, { node, count: (counts.get(word)?.count ?? 0) + 1 });
  }
  return (
    <div className="mt-2 flex flex-wrap justify-between gap-x-6 gap-y-1 text-base">
      <ul aria-label={aroundSectionText.legend} className="flex flex-wrap gap-x-5 gap-y-1">
        {[...counts].map(([word, { node, count }]) => (
          <li key={word} className="flex items-center gap-1.5">
            <NodeIcon node={node} />
            {word} <span className="text-ink-soft tabular-nums">{count.toLocaleString(locale())}</span>
          </li>
        ))}
      </ul>
      <p className="text-ink-soft">{aroundSectionText.alongside(nodes.length, leftOut)}</p>
    </div>
  );
}

/** A trace opens in place of this one; an agent, a rule, a feature or a file leads to its traces. */
function useOpen(): (node: GraphNode) => void {
  const { go } = useAddress();
  const [, navigate] = useLocation();
  return (node) => {
    const leads: Partial<Record<GraphNode["kind"], string>> = {
      agent: `${GUARD_PATHS.graph}?agent=`,
      feature: `${GUARD_PATHS.graph}?feature=`,
      rule: `${GUARD_PATHS.graph}?rule=`,
      file: `${GUARD_PATHS.graph}?file=`,
      session: `${GUARD_PATHS.decisions}?session=`,
      guard: `${GUARD_PATHS.guards}?id=`,
      memory: "/memory?id=",
    };
    const lead = leads[node.kind];
    if (lead !== undefined) navigate(`${lead}${encodeURIComponent(node.id)}`);
    else if (node.distance !== 0) go({ id: node.id });
  };
}

const AROUND_SECTION_FIRST = 20;

interface AroundListsProps {
  around: GraphAround;
  onOpen: (node: GraphNode) => void;
}

/** What stands around a trace as lists, where there is no room for a drawing. */
function AroundLists({ around: { nodes }, onOpen }: AroundListsProps): ReactNode {
  const before = nodes.filter(({ distance }) => distance < 0).toSorted((one, other) => other.distance - one.distance);
  const after = nodes.filter(({ distance }) => distance > 0).toSorted((one, other) => one.distance - other.distance);
  return (
    <>
      <NodeList name={aroundSectionText.before} nodes={before} onOpen={onOpen} />
      <NodeList name={aroundSectionText.after} nodes={after} onOpen={onOpen} />
    </>
  );
}

function NodeList({ name, nodes, onOpen }: { name: string; nodes: GraphNode[]; onOpen: (node: GraphNode) => void }): ReactNode {
  const [count, setCount] = useState(AROUND_SECTION_FIRST);
  if (nodes.length === 0) return null;
  return (
    <div className="mt-4">
      <h3 className="text-lg">{name}</h3>
      <ul className="mt-2 flex flex-col gap-2">
        {nodes.slice(0, count).map((node) => (
          <li key={node.key} style={{ marginLeft: `${(Math.min(Math.abs(node.distance), 5) - 1) * 0.75}rem` }}>
            <button
              type="button"
              onClick={() => {
                onOpen(node);
              }}
              className="flex min-h-11 w-full items-center gap-2 rounded-md border border-line bg-card px-3 py-1.5 text-left hover:border-accent"
            >
              <NodeIcon node={node} className="size-4.5" />
              <span className="min-w-0">
                <span className="block text-[0.8125rem] leading-tight text-ink-soft">{wordOf(node)}</span>
                <span className="line-clamp-2 leading-snug [overflow-wrap:anywhere]">{node.label}</span>
              </span>
            </button>
          </li>
        ))}
      </ul>
      {nodes.length > count && (
        <ShowMore
          words={aroundSectionText.showMore(Math.min(nodes.length - count, 5 * AROUND_SECTION_FIRST))}
          isBusy={false}
          onMore={() => {
            setCount(count + 5 * AROUND_SECTION_FIRST);
          }}
        />
      )}
    </div>
  );
}

const EDGE_TABLE_FIRST = 100;

/** Every line of the drawing in words; its rows are made when somebody opens it. */
function EdgeTable({ around }: { around: GraphAround }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <More words={plotStrings.asTable} about={aroundSectionText.table} isOpen={isOpen} onToggle={setOpen} className="mt-3">
      {isOpen && <Rows around={around} />}
    </More>
  );
}

function Rows({ around: { nodes, edges } }: { around: GraphAround }): ReactNode {
  const [count, setCount] = useState(EDGE_TABLE_FIRST);
  const names = new Map(nodes.map((node) => [node.key, aroundSectionText.node(wordOf(node), node.label)]));
  const wide = "[overflow-wrap:anywhere]";
  const columns: Column<GraphEdge>[] = [
    { key: "source", name: aroundSectionText.columns[0], cell: ({ source }) => names.get(source) ?? source, className: wide },
    { key: "relation", name: aroundSectionText.columns[1], cell: ({ relation }) => graphStrings.relations[relation], className: "text-ink-soft" },
    { key: "target", name: aroundSectionText.columns[2], cell: ({ target }) => names.get(target) ?? target, className: wide },
  ];
  return (
    <>
      <DataTable
        caption={aroundSectionText.table}
        columns={columns}
        rows={edges.slice(0, count)}
        rowKey={({ source, relation, target }) => `${source} ${relation} ${target}`}
        className="mt-2"
      />
      {edges.length > count && (
        <ShowMore
          words={aroundSectionText.showMore(Math.min(edges.length - count, 5 * EDGE_TABLE_FIRST))}
          isBusy={false}
          onMore={() => {
            setCount(count + 5 * EDGE_TABLE_FIRST);
          }}
        />
      )}
    </>
  );
}
