/** The pieces that the settings are made of. */

import { type ReactNode, useId } from "react";

import { Marked } from "../../../ui/marked";

export const FIELD = "mt-1 min-h-11 rounded-md border border-edge bg-card px-3";

export function Part({ heading, lead, children }: { heading: string; lead?: string; children: ReactNode }): ReactNode {
  const id = useId();
  return (
    <section aria-labelledby={id} className="border-t border-rule pt-6">
      <h2 id={id} className="text-xl">
        {heading}
      </h2>
      {lead !== undefined && <p className="mt-1 text-base text-ink-soft">{lead}</p>}
      <div className="mt-4 flex flex-col gap-5">{children}</div>
    </section>
  );
}

export function Hint({ id, text }: { id: string; text: string }): ReactNode {
  return (
    <p id={id} className="mt-1 text-base text-ink-soft">
      <Marked text={text} />
    </p>
  );
}

interface TickProps {
  label: string;
  isTicked: boolean;
  hint?: string;
  onTick: (isTicked: boolean) => void;
}

export function Tick({ label, isTicked, hint, onTick }: TickProps): ReactNode {
  const id = useId();
  return (
    <div>
      <label className="flex min-h-11 w-fit cursor-pointer items-center gap-3">
        <input
          type="checkbox"
          checked={isTicked}
          aria-describedby={hint === undefined ? undefined : id}
          className="size-5 shrink-0 accent-(--accent)"
          onChange={(event) => {
            onTick(event.target.checked);
          }}
        />
        {label}
      </label>
      {hint !== undefined && <Hint id={id} text={hint} />}
    </div>
  );
}
