/** A command, letter for letter: what is long wraps, what is wide stays inside. */

import { clsx } from "clsx";
import { Terminal } from "lucide-react";
import type { ReactNode } from "react";

export function CommandText({ text, className }: { text: string; className?: string }): ReactNode {
  return (
    <code className={clsx("block rounded bg-line/60 px-3 py-2 text-[0.95em] [overflow-wrap:anywhere] whitespace-pre-wrap", className)}>
      {text}
    </code>
  );
}

/** A command to type into a terminal. */
export function ShellCommand({ command, className }: { command: string; className?: string }): ReactNode {
  return (
    <span className={clsx("inline-flex items-baseline gap-2 rounded bg-line/60 px-2 py-1.5 text-ink", className)}>
      <Terminal aria-hidden className="size-4 shrink-0 self-center text-ink-soft" />
      <code className="text-[0.9em] [overflow-wrap:anywhere]">{command}</code>
    </span>
  );
}
