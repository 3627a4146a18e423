/** A page before there is anything to show: what will stand here, and the commands that begin it. */

import { Terminal } from "lucide-react";
import type { ReactNode } from "react";

import { Marked } from "./marked";

interface Words {
  title: string;
  lead: string;
  steps: readonly { title: string; command: string; text: string }[];
}

export function Teaching({ words, children }: { words: Words; children?: ReactNode }): ReactNode {
  return (
    <section className="mt-6 max-w-4xl rounded-lg border border-dashed border-edge p-6">
      <h2 className="text-xl">{words.title}</h2>
      <p className="mt-2 text-ink-soft">{words.lead}</p>
      <ol className="mt-5 grid gap-4 lg:grid-cols-3">
        {words.steps.map((step, place) => (
          <li key={step.command} className="rounded-lg border border-line bg-card p-4">
            <p className="font-semibold">
              {place + 1}. {step.title}
            </p>
            <p className="mt-2 flex items-baseline gap-2 rounded bg-line/60 px-2 py-1.5">
              <Terminal aria-hidden className="size-4 shrink-0 self-center text-ink-soft" />
              <code className="text-[0.9em] [overflow-wrap:anywhere]">{step.command}</code>
            </p>
            <Marked className="mt-2 block text-base text-ink-soft" text={step.text} />
          </li>
        ))}
      </ol>
      {children}
    </section>
  );
}
