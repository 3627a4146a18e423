/**
 * A map of things and what each needs, from top to bottom; or a list where there is no room for a map, so
 * that nobody has to move a picture about. The things are buttons, so every one is reached with the Tab key;
 * arrow keys go along the lines.
 */

import { clsx } from "clsx";
import { type KeyboardEvent, type ReactNode, useMemo } from "react";

import type { GraphNode } from "./layers";
import { layOut, type MapLayout } from "./map-layout";
import { useWidth } from "./use-width";

interface LayeredMapProps<T extends GraphNode> {
  name: string;
  nodes: readonly T[];
  chosen: string | null;
  onChoose: (id: string) => void;
  nodeHeight: number;
  isList: boolean;
  /** What the button of a node shows. */
  children: (node: T) => ReactNode;
  /** What a list shows below the chosen one; the map leaves that to whoever uses it. */
  below: (node: T) => ReactNode;
  groupOf: (node: T) => string;
  look: (node: T) => string;
}

const ROW_GAP = 44;
const BUTTON = "rounded-lg border bg-card text-left transition-colors hover:border-accent";

export function LayeredMap<T extends GraphNode>(props: LayeredMapProps<T>): ReactNode {
  const [ref, width] = useWidth<HTMLDivElement>();
  return (
    <div ref={ref} role="group" aria-label={props.name} className="min-w-0">
      {props.isList ? <AsList {...props} /> : <AsMap {...props} width={width} />}
    </div>
  );
}

function AsMap<T extends GraphNode>({ nodes, chosen, onChoose, nodeHeight, children, look, width }: LayeredMapProps<T> & { width: number }): ReactNode {
  const layout = useMemo(() => layOut(nodes, { width, nodeHeight, rowGap: ROW_GAP }), [nodes, width, nodeHeight]);
  const ordered = inReadingOrder(nodes, layout);
  return (
    <div className="relative" style={{ height: layout.height }}>
      <svg aria-hidden width={width} height={layout.height} className="absolute inset-0 overflow-visible">
        {layout.lines.map(({ from, to, path }) => (
          <path
            key={`${from} ${to}`}
            d={path}
            fill="none"
            className={from === chosen || to === chosen ? "stroke-ink" : "stroke-edge/70"}
            strokeWidth={from === chosen || to === chosen ? 2.5 : 1.5}
          />
        ))}
      </svg>
      {ordered.map((node) => {
        const box = layout.boxes.get(node.id);
        return (
          <button
            key={node.id}
            type="button"
            data-node={node.id}
            aria-pressed={node.id === chosen}
            className={clsx(BUTTON, "absolute overflow-hidden px-2.5 py-2", look(node), node.id === chosen && "ring-3 ring-ink")}
            style={{ left: box?.x, top: box?.y, width: layout.nodeWidth, height: nodeHeight }}
            onClick={() => {
              onChoose(node.id);
            }}
            onKeyDown={(event) => {
              followLines(event, node.id, layout);
            }}
          >
            {children(node)}
          </button>
        );
      })}
    </div>
  );
}

function AsList<T extends GraphNode>({ nodes, chosen, onChoose, children, below, groupOf, look }: LayeredMapProps<T>): ReactNode {
  const groups = [...new Set(nodes.map(groupOf))];
  return groups.map((group) => (
    <div key={group} className="mb-6">
      {group !== "" && <h3 className="mb-2 text-lg">{group}</h3>}
      <ul className="flex flex-col gap-2">
        {nodes
          .filter((node) => groupOf(node) === group)
          .map((node) => (
            <li key={node.id}>
              <button
                type="button"
                aria-expanded={node.id === chosen}
                className={clsx(BUTTON, "w-full px-3 py-2", look(node))}
                onClick={() => {
                  onChoose(node.id);
                }}
              >
                {children(node)}
              </button>
              {node.id === chosen && <div className="border-l-3 border-spine px-4 py-3">{below(node)}</div>}
            </li>
          ))}
      </ul>
    </div>
  ));
}

/** Row by row, each from left to right: the way the Tab key goes. */
function inReadingOrder<T extends GraphNode>(nodes: readonly T[], { boxes }: MapLayout): T[] {
  const at = (node: T): { x: number; y: number } => boxes.get(node.id) ?? { x: 0, y: 0 };
  return nodes.toSorted((one, other) => at(one).y - at(other).y || at(one).x - at(other).x);
}

/** The node that an arrow key leads to: up and down along a line, to the sides within the row. */
export function nodeTowards(key: string, id: string, { boxes, lines }: MapLayout): string | null {
  const here = boxes.get(id);
  if (here === undefined) return null;
  const x = (other: string): number => boxes.get(other)?.x ?? 0;
  const nearest = (found: string[]): string | null =>
    found.toSorted((one, other) => Math.abs(x(one) - here.x) - Math.abs(x(other) - here.x))[0] ?? null;
  const inRow = [...boxes].filter(([, box]) => box.y === here.y).map(([other]) => other);
  switch (key) {
    case "ArrowUp":
      return nearest(lines.filter(({ to }) => to === id).map(({ from }) => from));
    case "ArrowDown":
      return nearest(lines.filter(({ from }) => from === id).map(({ to }) => to));
    case "ArrowLeft":
      return nearest(inRow.filter((other) => x(other) < here.x));
    case "ArrowRight":
      return nearest(inRow.filter((other) => x(other) > here.x));
    default:
      return null;
  }
}

function followLines(event: KeyboardEvent<HTMLElement>, id: string, layout: MapLayout): void {
  const to = nodeTowards(event.key, id, layout);
  if (to === null) return;
  event.preventDefault();
  const group = event.currentTarget.parentElement;
  group?.querySelector<HTMLElement>(`[data-node="${CSS.escape(to)}"]`)?.focus();
}
