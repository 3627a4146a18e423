/** The lines and labels around a plot. */

import type { ReactNode } from "react";

export const MARGIN = { left: 42, right: 8, top: 12, bottom: 26 };
const TEXT = "fill-ink-soft text-[13px] tabular-nums";

interface Label {
  at: number;
  text: string;
}

export function HorizontalGrid({ labels, left, right }: { labels: Label[]; left: number; right: number }): ReactNode {
  return (
    <g>
      {labels.map(({ at, text }) => (
        <g key={text}>
          <line x1={left} x2={right} y1={at} y2={at} className="stroke-rule" shapeRendering="crispEdges" />
          <text x={left - 8} y={at} dy="0.35em" textAnchor="end" className={TEXT}>
            {text}
          </text>
        </g>
      ))}
    </g>
  );
}

/** Labels below; the first and the last are kept inside. */
export function BottomLabels({ labels, y, left, right }: { labels: Label[]; y: number; left: number; right: number }): ReactNode {
  return (
    <g>
      {labels.map(({ at, text }) => (
        <text
          key={`${at} ${text}`}
          x={Math.min(Math.max(at, left), right)}
          y={y + 18}
          textAnchor={at - left < 20 ? "start" : right - at < 20 ? "end" : "middle"}
          className={TEXT}
        >
          {text}
        </text>
      ))}
    </g>
  );
}

/** A mark across the plot with a name, such as the day of an exam. */
export function VerticalMark({ at, top, bottom, text, right }: { at: number; top: number; bottom: number; text: string; right: number }): ReactNode {
  const isFar = at > right - 90;
  return (
    <g>
      <line x1={at} x2={at} y1={top} y2={bottom} className="stroke-fail" strokeWidth={2} strokeDasharray="2 4" />
      <text x={isFar ? at - 6 : at + 6} y={top + 10} textAnchor={isFar ? "end" : "start"} className="fill-fail text-[13px] font-semibold">
        {text}
      </text>
    </g>
  );
}
