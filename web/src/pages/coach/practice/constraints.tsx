/** What makes a kata harder: what can be chosen, and what opens at a higher level. */

import { Lock } from "lucide-react";
import { type ReactNode, useId } from "react";

import { coachStrings } from "../../../strings-coach";
import { Marked } from "../../../ui/marked";
import type { Constraint } from "../../../wire/generated";

const text = coachStrings.practice;

interface ConstraintsProps {
  open: readonly Constraint[];
  locked: readonly Pick<Constraint, "title" | "minLevel">[];
  chosen: ReadonlySet<string>;
  onChange: (title: string, isChosen: boolean) => void;
}

export function Constraints({ open, locked, chosen, onChange }: ConstraintsProps): ReactNode {
  const id = useId();
  return (
    <fieldset>
      <legend className="font-heading text-xl font-semibold">{text.constraints}</legend>
      <p className="mt-1 text-ink-soft">{open.length === 0 ? text.constraintsEmpty : text.constraintsLead}</p>
      <ul className="mt-2 flex flex-col gap-1">
        {open.map(({ title, description }, at) => (
          <li key={title} className="flex min-h-11 gap-3 py-1.5">
            <input
              id={`${id}-${at}`}
              type="checkbox"
              aria-describedby={`${id}-${at}-note`}
              checked={chosen.has(title)}
              onChange={(event) => {
                onChange(title, event.target.checked);
              }}
              className="mt-1.5 size-5 shrink-0 accent-(--accent)"
            />
            <div>
              <label htmlFor={`${id}-${at}`} className="font-semibold">
                {title}
              </label>
              <p id={`${id}-${at}-note`} className="text-ink-soft">
                <Marked text={description} />
              </p>
            </div>
          </li>
        ))}
        {locked.map(({ title, minLevel }) => (
          <li key={title} className="flex gap-3 py-1.5 text-ink-soft">
            <Lock aria-hidden className="mt-1 size-5 shrink-0" />
            <span>
              <span className="block font-semibold">{title}</span>
              {text.locked(minLevel)}
            </span>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}
