/** What stands around a trace as lists, where there is no room for a drawing. */

import { type ReactNode, useState } from "react";

import { graphStrings } from "../../../strings-guard-graph";
import { ShowMore } from "../../../ui/shown";
import type { GraphAround, GraphNode } from "../../../wire/generated";
import { NodeIcon, wordOf } from "./marks";

const text = graphStrings.around;
const FIRST = 20;

interface AroundListsProps {
  around: GraphAround;
  onOpen: (node: GraphNode) => void;
}

export function AroundLists({ around: { nodes }, onOpen }: AroundListsProps): ReactNode {
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
