/** Costs by door, by model and by purpose: shares as bars beside the numbers themselves. */

import type { ReactNode } from "react";

import { costStrings } from "../../../strings-costs";
import { type Column, DataTable } from "../../../ui/data-table";
import { Section } from "../../../ui/section";
import type { CostRow } from "../../../wire/generated";
import { showCount, showShare, showShort, showShortCost } from "../amounts";
import { doorName } from "../marks";
import { type CostSum, sumsBy, total } from "./sums";

const text = costStrings;

export function DoorCosts({ rows }: { rows: readonly CostRow[] }): ReactNode {
  return <Shares rows={rows} words={text.doors} keyOf={({ door }) => door} nameOf={doorName} />;
}

export function ModelCosts({ rows }: { rows: readonly CostRow[] }): ReactNode {
  return <Shares rows={rows} words={text.models} keyOf={({ model }) => model} />;
}

export function PurposeCosts({ rows }: { rows: readonly CostRow[] }): ReactNode {
  return <Shares rows={rows} words={text.purposes} keyOf={({ purpose }) => purpose} />;
}

interface SharesProps {
  rows: readonly CostRow[];
  words: { heading: string; name: string; column: string };
  keyOf: (row: CostRow) => string;
  nameOf?: (key: string) => string;
}

function Shares({ rows, words, keyOf, nameOf = (key) => key }: SharesProps): ReactNode {
  const sums = sumsBy(rows, keyOf);
  const all = total(rows).costUsd;
  const share = ({ costUsd }: CostSum): number => (all === 0 ? 0 : costUsd / all);
  const { columns } = text;
  const shown: Column<CostSum>[] = [
    { key: "name", name: words.column, cell: ({ key }) => <span className="[overflow-wrap:anywhere]">{nameOf(key)}</span>, sortBy: ({ key }) => nameOf(key) },
    { key: "share", name: columns.share, cell: (sum) => <ShareBar share={share(sum)} />, sortBy: share, className: "w-1/4 min-w-24" },
    { key: "cost", name: columns.cost, align: "end", cell: (sum) => <Cost sum={sum} />, sortBy: ({ costUsd }) => costUsd },
    { key: "calls", name: columns.calls, align: "end", cell: ({ calls }) => showCount(calls), sortBy: ({ calls }) => calls },
    { key: "tokens", name: columns.tokens, align: "end", cell: ({ tokensIn }) => showShort(tokensIn), sortBy: ({ tokensIn }) => tokensIn },
    { key: "written", name: columns.written, align: "end", cell: ({ tokensOut }) => showShort(tokensOut), sortBy: ({ tokensOut }) => tokensOut },
  ];
  return (
    <Section heading={words.heading}>
      <DataTable caption={words.name} columns={shown} rows={sums} rowKey={({ key }) => key} sort={{ key: "cost", isDown: true }} narrow="stack" />
    </Section>
  );
}

/** The length says what the number beside it says. */
function ShareBar({ share }: { share: number }): ReactNode {
  return (
    <span className="flex items-center gap-2">
      <span aria-hidden className="h-3 min-w-20 flex-1 rounded-sm bg-line/60">
        <span className="block h-full rounded-sm bg-spine" style={{ width: `${share * 100}%` }} />
      </span>
      <span className="w-11 text-right tabular-nums">{showShare(share)}</span>
    </span>
  );
}

function Cost({ sum: { costUsd, unpriced } }: { sum: CostSum }): ReactNode {
  return <span title={unpriced > 0 ? text.columns.unpriced : undefined}>{showShortCost(costUsd, unpriced > 0)}</span>;
}
