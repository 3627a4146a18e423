/** What a guard would have stopped in the past, by what became of it then: four bars. */

import type { ReactNode } from "react";

import { locale } from "../../../locale/words";
import { guardsStrings } from "../../../strings-guard-guards";
import { RowPlot } from "../../../ui/plots/row-plot";
import type { LearnedReplay } from "../../../wire/generated";

const text = guardsStrings.trial;
const BARS = [
  { key: "already", fill: "fill-spine" },
  { key: "corrected", fill: "fill-warn" },
  { key: "harmless", fill: "fill-fail" },
  { key: "unclear", fill: "fill-edge" },
] as const;

export function ReplayPlot({ replay }: { replay: LearnedReplay }): ReactNode {
  const rows = BARS.map(({ key, fill }) => ({ name: text.bars[key], value: replay[key], shown: replay[key].toLocaleString(locale()), fill }));
  return (
    <RowPlot
      name={text.plot}
      summary={text.against}
      rows={rows}
      most={Math.max(1, ...rows.map(({ value }) => value))}
      left={168}
      right={56}
      read={({ name, value }) => text.point(name, value ?? 0)}
      table={{ columns: [...text.columns], rows: rows.map(({ name, shown }) => [name, shown]) }}
    />
  );
}
