/** Every line of the drawing in words; its rows are made when somebody opens it. */

import { type ReactNode, useState } from "react";

import { graphStrings } from "../../../strings-guard-graph";
import { plotStrings } from "../../../strings-ui";
import { type Column, DataTable } from "../../../ui/data-table";
import { More } from "../../../ui/more";
import { ShowMore } from "../../../ui/shown";
import type { GraphAround, GraphEdge } from "../../../wire/generated";
import { wordOf } from "./marks";

const text = graphStrings.around;
const FIRST = 100;

export function EdgeTable({ around }: { around: GraphAround }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <More words={plotStrings.asTable} about={text.table} isOpen={isOpen} onToggle={setOpen} className="mt-3">
      {isOpen && <Rows around={around} />}
    </More>
  );
}

function Rows({ around: { nodes, edges } }: { around: GraphAround }): ReactNode {
  const [count, setCount] = useState(FIRST);
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
          words={text.showMore(Math.min(edges.length - count, 5 * FIRST))}
          isBusy={false}
          onMore={() => {
            setCount(count + 5 * FIRST);
          }}
        />
      )}
    </>
  );
}
