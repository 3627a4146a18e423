/** How much of where to work is shown: nothing, files, regions, lines. */

import { type ReactNode, useId } from "react";

import { coachStrings } from "../../../../strings-coach";
import { useCoachActions } from "../../state/actions";
import { LEVELS, useHints } from "../../state/hints";

const text = coachStrings.hints;

export function HintLevels(): ReactNode {
  const level = useHints((hints) => hints.level);
  const { setHintLevel } = useCoachActions();
  const id = useId();
  const at = LEVELS.indexOf(level);
  return (
    <div className="border-b border-rule px-4 py-3">
      <label htmlFor={id} className="font-heading text-[1.0625rem] font-semibold">
        {text.level}
      </label>
      <input
        id={id}
        type="range"
        min={0}
        max={LEVELS.length - 1}
        step={1}
        value={at}
        aria-valuetext={text.levels[level]}
        aria-describedby={`${id}-note`}
        onChange={(event) => {
          const chosen = LEVELS[Number(event.target.value)];
          if (chosen !== undefined) setHintLevel(chosen);
        }}
        className="coach-slider mt-2 block w-full"
      />
      <div aria-hidden className="flex justify-between text-sm font-semibold">
        {LEVELS.map((name) => (
          <span key={name} className={name === level ? "text-door-ink" : "text-ink-soft"}>
            {text.levels[name]}
          </span>
        ))}
      </div>
      <p id={`${id}-note`} className="mt-1 text-base text-ink-soft">
        {text.levelNote[level]}
      </p>
    </div>
  );
}
