/** A page before there is anything to show: what will stand here, and the commands that begin it. */

import { clsx } from "clsx";
import type { ReactNode } from "react";

import { ShellCommand } from "./command-text";
import { Marked } from "./marked";

interface Words {
  title: string;
  lead: string;
  /** Left out where there is only to wait. */
  steps?: readonly { title: string; command: string; text: string }[];
}

interface TeachingProps {
  words: Words;
  className?: string;
  /** More ways to begin. */
  children?: ReactNode;
}

export function Teaching({ words, className = "mt-6", children }: TeachingProps): ReactNode {
  return (
    <section className={clsx("max-w-4xl rounded-lg border border-dashed border-edge p-6", className)}>
      <h2 className="text-xl">{words.title}</h2>
      <p className="mt-2 text-ink-soft">{words.lead}</p>
      <ol className="mt-5 grid gap-4 empty:hidden lg:grid-cols-3">
        {words.steps?.map((step, place) => (
          <li key={step.command} className="rounded-lg border border-line bg-card p-4">
            <p className="font-semibold">
              {place + 1}. {step.title}
            </p>
            <ShellCommand command={step.command} className="mt-2 flex" />
            <Marked className="mt-2 block text-base text-ink-soft" text={step.text} />
          </li>
        ))}
      </ol>
      {children}
    </section>
  );
}
