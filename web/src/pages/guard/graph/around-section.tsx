/** What led to a trace and what came of it: a drawing, or lists where there is no room for one, and a table. */

import type { ReactNode } from "react";
import { useLocation } from "wouter";

import { locale } from "../../../locale/words";
import { GUARD_PATHS } from "../../../routes";
import { graphStrings } from "../../../strings-guard-graph";
import { useWidth } from "../../../ui/plots/use-width";
import type { GraphAround, GraphNode } from "../../../wire/generated";
import { DEPTHS, useAddress } from "./address";
import { AroundLists } from "./around-lists";
import { AroundMap } from "./around-map";
import { EdgeTable } from "./edge-table";
import { NodeIcon, wordOf } from "./marks";

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
