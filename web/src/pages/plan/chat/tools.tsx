/** The tools an agent used, folded away until somebody looks. */

import { Check, Wrench, X } from "lucide-react";
import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import type { PlanToolCall } from "../../../wire/generated";

const text = planStrings.chat;

export function stepName(name: string): string {
  return text.stepNames[name] ?? name.replaceAll(/[_-]/g, " ");
}

export function Tools({ tools }: { tools: PlanToolCall[] }): ReactNode {
  const names = [...new Set(tools.map(({ name }) => stepName(name)))];
  return (
    <details className="text-base">
      <summary className="cursor-pointer text-ink-soft hover:text-accent">
        <Wrench aria-hidden className="mr-1.5 inline size-4" />
        {text.steps(tools.length)}: {names.join(", ")}
      </summary>
      <ol className="mt-2 flex flex-col gap-2 border-l-2 border-rule pl-4">
        {tools.map((tool, place) => (
          <li key={place}>
            <Tool tool={tool} />
          </li>
        ))}
      </ol>
    </details>
  );
}

function Tool({ tool: { name, input, result, failed } }: { tool: PlanToolCall }): ReactNode {
  const Icon = failed ? X : Check;
  return (
    <details>
      <summary className="cursor-pointer hover:text-accent">
        <Icon aria-hidden className={`mr-1.5 inline size-4 ${failed ? "text-fail" : "text-ok"}`} />
        {stepName(name)} <span className="text-ink-soft">{shortInput(input)}</span>
        {failed && <span className="font-semibold text-fail"> {text.stepFailed}</span>}
      </summary>
      <p className="mt-1 text-sm text-ink-soft">{text.given}</p>
      <Raw words={JSON.stringify(input, null, 2)} />
      <p className="mt-1 text-sm text-ink-soft">{text.result}</p>
      {result === "" ? <p className="text-sm">{text.stillRunning}</p> : <Raw words={result} />}
    </details>
  );
}

function Raw({ words }: { words: string }): ReactNode {
  return (
    // It scrolls, and the keyboard must be able to scroll it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-tabindex
    <pre tabIndex={0} className="max-h-60 overflow-auto rounded-md border border-line bg-card px-3 py-2 text-sm whitespace-pre-wrap">
      {words}
    </pre>
  );
}

/** The one thing that tells calls apart: which file, which skill, which words. */
function shortInput(input: Record<string, unknown>): string {
  const first = Object.values(input).find((value) => typeof value === "string");
  return typeof first === "string" ? first.slice(0, 80) : "";
}
