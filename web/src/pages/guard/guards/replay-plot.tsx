/** What a guard would have stopped in the past, by what became of it then: four bars. */

import type { ReactNode } from "react";

import { guardsStrings } from "../../../strings-guard-guards";
import { Plot } from "../../../ui/plots/plot";
import { linear } from "../../../ui/plots/scales";
import type { LearnedReplay } from "../../../wire/generated";

const text = guardsStrings.trial;
const ROW = 34;
const LEFT = 168;
const RIGHT = 56;
const BARS = [
  { name: "already", fill: "fill-spine" },
  { name: "corrected", fill: "fill-warn" },
  { name: "harmless", fill: "fill-fail" },
  { name: "unclear", fill: "fill-edge" },
] as const;

export function ReplayPlot({ replay }: { replay: LearnedReplay }): ReactNode {
  const most = Math.max(1, ...BARS.map(({ name }) => replay[name]));
  const left = (width: number): number => Math.min(LEFT, width * 0.48);
  return (
    <Plot
      name={text.plot}
      summary={text.against}
      height={BARS.length * ROW}
      points={BARS.map(({ name }) => text.point(text.bars[name], replay[name]))}
      pointAt={(_, y) => Math.min(Math.max(Math.floor(y / ROW), 0), BARS.length - 1)}
      keys={{ down: 1, right: 1 }}
      table={{ columns: [...text.columns], rows: BARS.map(({ name }) => [text.bars[name], replay[name].toLocaleString()]) }}
    >
      {({ width }, active) => {
        const x = linear([0, most], [left(width), width - RIGHT]);
        return BARS.map(({ name, fill }, place) => (
          <g key={name}>
            {active === place && <rect x={0} width={width} y={place * ROW} height={ROW} className="fill-line/60" />}
            <text x={left(width) - 10} y={place * ROW + ROW / 2} dy="0.35em" textAnchor="end" className="fill-ink text-[14px]">
              {text.bars[name]}
            </text>
            <rect x={left(width)} width={Math.max(x(replay[name]) - left(width), 0)} y={place * ROW + 8} height={ROW - 16} rx={2} className={fill} />
            <text x={x(replay[name]) + 8} y={place * ROW + ROW / 2} dy="0.35em" className="fill-ink text-[14px] tabular-nums">
              {replay[name].toLocaleString()}
            </text>
          </g>
        ));
      }}
    </Plot>
  );
}
