/** Every line of the drawing in words; its rows are made when somebody opens it. */

import { type ReactNode, useState } from "react";

import { graphStrings } from "../../../strings-guard-graph";
import { plotStrings } from "../../../strings-study-progress";
import { Button } from "../../../ui/button";
import type { GraphAround } from "../../../wire/generated";
import { wordOf } from "./marks";

const text = graphStrings.around;
const FIRST = 100;

export function EdgeTable({ around }: { around: GraphAround }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  return (
    <details
      className="mt-3"
      onToggle={(event) => {
        setOpen(event.currentTarget.open);
      }}
    >
      <summary className="w-fit cursor-pointer text-base text-ink-soft hover:text-accent">
        {plotStrings.asTable}
        <span className="sr-only">: {text.table}</span>
      </summary>
      {isOpen && <Rows around={around} />}
    </details>
  );
}

function Rows({ around: { nodes, edges } }: { around: GraphAround }): ReactNode {
  const [count, setCount] = useState(FIRST);
  const names = new Map(nodes.map((node) => [node.key, text.node(wordOf(node), node.label)]));
  return (
    <>
      <table className="mt-2 w-full table-fixed text-left text-base">
        <caption className="sr-only">{text.table}</caption>
        <thead>
          <tr className="border-b border-edge">
            {text.columns.map((column, place) => (
              <th key={column} scope="col" className={place === 1 ? "w-1/5 py-1 pr-3" : "py-1 pr-3"}>
                {column}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {edges.slice(0, count).map(({ source, relation, target }) => (
            <tr key={`${source} ${relation} ${target}`} className="border-b border-rule align-top">
              <th scope="row" className="py-1 pr-3 font-normal [overflow-wrap:anywhere]">
                {names.get(source) ?? source}
              </th>
              <td className="py-1 pr-3 text-ink-soft">{graphStrings.relations[relation]}</td>
              <td className="py-1 [overflow-wrap:anywhere]">{names.get(target) ?? target}</td>
            </tr>
          ))}
        </tbody>
      </table>
      {edges.length > count && (
        <Button
          look="quiet"
          className="mt-2"
          onClick={() => {
            setCount(count + 5 * FIRST);
          }}
        >
          {text.showMore(Math.min(edges.length - count, 5 * FIRST))}
        </Button>
      )}
    </>
  );
}
