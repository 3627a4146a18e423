/** What led to a trace and what came of it: a drawing, or lists where there is no room for one, and a table. */

import { type ReactNode, useState } from "react";
import { useLocation } from "wouter";

import { locale } from "../../../locale/words";
import { GUARD_PATHS } from "../../../routes";
import { type Column, DataTable } from "../../../ui/data/data-table";
import { ShowMore } from "../../../ui/data/shown";
import { More } from "../../../ui/more";
import { useWidth } from "../../../ui/plots/plot";
import { plotStrings } from "../../../ui/strings";
import type { GraphAround, GraphEdge, GraphNode } from "../../../wire/generated";
import { DEPTHS, useAddress } from "./address";
import { AroundMap } from "./around-map";
import { NodeIcon, wordOf } from "./marks";
import { graphStrings } from "./strings";

const text = graphStrings.around;
const NARROWEST_MAP = 560;

export function AroundSection({ around, isBusy }: { around: GraphAround; isBusy: boolean }): ReactNode {
  const [ref, width] = useWidth<HTMLElement>();
  const open = useOpen();
  return (
    <section ref={ref} aria-labelledby="around-heading" aria-busy={isBusy} className="mt-8">
      <div className="flex flex-wrap items-end justify-between gap-3">
        <h2 id="around-heading" className="text-xl">
          {text.heading}
        </h2>
        <Depth />
      </div>
      {around.edges.length === 0 ? (
        <p className="mt-3 text-ink-soft">{text.alone}</p>
      ) : (
        <>
          {width < NARROWEST_MAP ? (
            <AroundLists around={around} onOpen={open} />
          ) : (
            <>
              <p className="mt-1 mb-3 text-base text-ink-soft">{text.hint}</p>
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
      <span className="text-ink-soft">{text.depth}</span>
      <select
        value={depth}
        onChange={(event) => {
          go({ depth: event.target.value }, { replace: true });
        }}
        className="min-h-11 rounded-md border border-edge bg-card px-3"
      >
        {DEPTHS.map((each) => (
          <option key={each} value={each}>
            {text.steps(each)}
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
      <ul aria-label={text.legend} className="flex flex-wrap gap-x-5 gap-y-1">
        {[...counts].map(([word, { node, count }]) => (
          <li key={word} className="flex items-center gap-1.5">
            <NodeIcon node={node} />
            {word} <span className="text-ink-soft tabular-nums">{count.toLocaleString(locale())}</span>
          </li>
        ))}
      </ul>
      <p className="text-ink-soft">{text.alongside(nodes.length, leftOut)}</p>
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

const FIRST = 20;

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
      <NodeList name={text.before} nodes={before} onOpen={onOpen} />
      <NodeList name={text.after} nodes={after} onOpen={onOpen} />
    </>
  );
}

function NodeList({ name, nodes, onOpen }: { name: string; nodes: GraphNode[]; onOpen: (node: GraphNode) => void }): ReactNode {
  const [count, setCount] = useState(FIRST);
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
          words={text.showMore(Math.min(nodes.length - count, 5 * FIRST))}
          isBusy={false}
          onMore={() => {
            setCount(count + 5 * FIRST);
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
    <More words={plotStrings.asTable} about={text.table} isOpen={isOpen} onToggle={setOpen} className="mt-3">
      {isOpen && <Rows around={around} />}
    </More>
  );
}

function Rows({ around: { nodes, edges } }: { around: GraphAround }): ReactNode {
  const [count, setCount] = useState(EDGE_TABLE_FIRST);
  const names = new Map(nodes.map((node) => [node.key, text.node(wordOf(node), node.label)]));
  const wide = "[overflow-wrap:anywhere]";
  const columns: Column<GraphEdge>[] = [
    { key: "source", name: text.columns[0], cell: ({ source }) => names.get(source) ?? source, className: wide },
    { key: "relation", name: text.columns[1], cell: ({ relation }) => graphStrings.relations[relation], className: "text-ink-soft" },
    { key: "target", name: text.columns[2], cell: ({ target }) => names.get(target) ?? target, className: wide },
  ];
  return (
    <>
      <DataTable
        caption={text.table}
        columns={columns}
        rows={edges.slice(0, count)}
        rowKey={({ source, relation, target }) => `${source} ${relation} ${target}`}
        className="mt-2"
      />
      {edges.length > count && (
        <ShowMore
          words={text.showMore(Math.min(edges.length - count, 5 * EDGE_TABLE_FIRST))}
          isBusy={false}
          onMore={() => {
            setCount(count + 5 * EDGE_TABLE_FIRST);
          }}
        />
      )}
    </>
  );
}
