/** How much somebody wants to remember, and what that costs in reviews. */

import { type ReactNode, useId } from "react";

import { settingsStrings } from "../../../strings-study-progress";
import { plotStrings } from "../../../strings-ui";
import { More } from "../../../ui/more";
import { ShareBars } from "../../../ui/plots/share-bars";
import { Part } from "./parts";
import { HIGHEST, LOWEST, timesAt, waitAt } from "./retention";
import type { PartProps } from "./sessions-part";

const text = settingsStrings.retention;
const COMPARED = [0.8, 0.85, 0.9, 0.93, 0.95, 0.97];
const TEN_DAYS = 10;

export function RetentionPart({ profile, change }: PartProps): ReactNode {
  const id = useId();
  const share = profile.retention;
  const most = timesAt(COMPARED.at(-1) ?? HIGHEST);
  return (
    <Part heading={text.heading}>
      <div>
        <div className="flex items-baseline justify-between gap-4">
          <label htmlFor={id} className="font-semibold">
            {text.label}
          </label>
          <output htmlFor={id} className="font-heading text-3xl font-semibold tabular-nums">
            {text.value(share)}
          </output>
        </div>
        {/* Two lines are kept for it, so that nothing moves while the handle does. */}
        <p id={`${id}-cost`} className="min-h-[4.8em] sm:min-h-[3.2em]">
          {text.cost(share, timesAt(share), Math.max(1, Math.round(TEN_DAYS * waitAt(share))))} {remark(share)}
        </p>
        <input
          id={id}
          type="range"
          min={LOWEST * 100}
          max={HIGHEST * 100}
          step={1}
          value={Math.round(share * 100)}
          aria-valuetext={text.value(share)}
          aria-describedby={`${id}-cost`}
          className="mt-2 h-11 w-full cursor-pointer accent-(--accent)"
          onChange={(event) => {
            change({ retention: Number(event.target.value) / 100 });
          }}
        />
      </div>
      <More words={text.table} about={plotStrings.asTable} className="">
        <div className="mt-2">
          <ShareBars
            caption={text.table}
            columns={text.columns}
            rows={COMPARED.map((each) => ({
              id: String(each),
              name: text.value(each),
              share: timesAt(each) / most,
              shown: text.times(timesAt(each)),
            }))}
          />
        </div>
      </More>
    </Part>
  );
}

function remark(share: number): string {
  if (share < 0.8) return text.low;
  if (share > 0.95) return text.high;
  return Math.abs(share - 0.9) < 0.005 ? text.usual : "";
}
