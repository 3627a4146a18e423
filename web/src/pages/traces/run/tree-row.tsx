/** One step: how deep it lies, what it is called, when it ran, what it took. */

import { clsx } from "clsx";
import { ChevronRight, Circle, CircleX } from "lucide-react";
import { memo, type ReactNode } from "react";

import { traceStrings } from "../../../strings-traces";
import { showCost, showShortCost, showShortTokens, showTime } from "../amounts";
import { KIND_ICONS, kindName } from "../marks";
import { nameOf } from "./names";
import type { Timeline } from "./timeline";
import type { Tree, TreeNode } from "./tree";
import { tookOf } from "./tree-walk";

const text = traceStrings.tree;
const DEEPEST = 6;
export const GRID =
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
export const TreeRow = memo(function TreeRow({ id, place, tree, isOpen, isChosen, timeline, top, height }: TreeRowProps): ReactNode {
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
