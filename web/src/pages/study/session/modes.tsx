/** Two ways to work on the same exercise: here, or on its file. */

import { clsx } from "clsx";
import type { ReactNode } from "react";

import { sessionStrings } from "../../../strings-study-session";

export type Mode = "here" | "file";

export function Modes({ mode, onChange }: { mode: Mode; onChange: (mode: Mode) => void }): ReactNode {
  return (
    <div role="group" aria-label={sessionStrings.sheet.mode} className="inline-flex rounded-lg border border-edge p-0.5">
      {(["here", "file"] as const).map((each) => (
        <button
          key={each}
          type="button"
          aria-pressed={mode === each}
          onClick={() => {
            onChange(each);
          }}
          className={clsx(
            "min-h-10 rounded-md px-4 text-base font-semibold transition-colors",
            mode === each ? "bg-accent text-on-accent" : "text-ink-soft hover:text-ink",
          )}
        >
          {sessionStrings.sheet[each]}
        </button>
      ))}
    </div>
  );
}
