/** What would change in a file, line by line; signs and words say it, colours only help. */

import { clsx } from "clsx";
import type { ReactNode } from "react";

import type { GuardFileChange } from "../../wire/generated";
import { guardHostsStrings } from "./strings";

const text = guardHostsStrings.dialog;

export function Diff({ change, isOpen }: { change: GuardFileChange; isOpen: boolean }): ReactNode {
  const lines = linesOf(change.diff);
  return (
    <details open={isOpen || undefined} className="rounded-lg border border-line">
      <summary className="cursor-pointer rounded-lg px-3 py-2 hover:text-accent">
        <span className="font-semibold">{text.kinds[change.kind]}</span>{" "}
        <code className="text-[0.9em] [overflow-wrap:anywhere]">{change.path}</code>
      </summary>
      {lines.length === 0 ? (
        <p className="border-t border-rule px-3 py-2 text-ink-soft">{text.noText}</p>
      ) : (
        // It may be wider than the dialog: the keyboard has to get there to scroll it.
        // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
        <div role="group" tabIndex={0} aria-label={text.diff(change.path)} className="max-h-80 overflow-auto border-t border-rule">
          <pre className="w-max min-w-full py-1 font-mono text-sm leading-snug">
            {lines.map((line, place) => (
              <Line key={place} line={line} />
            ))}
          </pre>
        </div>
      )}
    </details>
  );
}

function Line({ line }: { line: string }): ReactNode {
  const sign = line[0] ?? " ";
  const isAdded = sign === "+";
  const isRemoved = sign === "-";
  return (
    <span
      className={clsx(
        "block px-3",
        isAdded && "bg-ok/12 text-ok",
        isRemoved && "bg-fail/12 text-fail",
        sign === "@" && "text-ink-soft",
      )}
    >
      {(isAdded || isRemoved) && <span className="sr-only">{isAdded ? text.added : text.removed}: </span>}
      {line === "" ? " " : line}
      {"\n"}
    </span>
  );
}

/** The lines of a unified diff without its head, which names the file once more. */
function linesOf(diff: string): string[] {
  const lines = diff.split("\n").filter((line) => !line.startsWith("--- ") && !line.startsWith("+++ "));
  return lines.length === 1 && lines[0] === "" ? [] : lines;
}
