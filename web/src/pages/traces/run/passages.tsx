/** What somebody read: each part with who it is from, long ones folded until they are wanted. */

import { CircleX } from "lucide-react";
import type { ReactNode } from "react";

import { stepStrings } from "../../../strings-trace-steps";
import { traceStrings } from "../../../strings-traces";
import { More } from "../../../ui/more";
import type { TracePassage } from "../../../wire/generated";

const text = stepStrings.replay;
/** Up to so many letters a part stands open. */
const SHORT = 600;

export function Passages({ name, passages, isOpen = false }: { name: string; passages: readonly TracePassage[]; isOpen?: boolean }): ReactNode {
  return (
    <div className="mt-4">
      <p className="font-semibold">{name}</p>
      <ul className="mt-1 divide-y divide-rule border-y border-rule">
        {passages.map((passage, place) => (
          <li key={place} className="py-2">
            <One passage={passage} isOpen={isOpen} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function One({ passage, isOpen }: { passage: TracePassage; isOpen: boolean }): ReactNode {
  const { who, name, failed, leftOut } = passage;
  const words = wordsOf(passage);
  const title = (
    <>
      <span className="font-semibold">{text.who[who]}</span>
      {name !== "" && who !== "history" && <code className="ml-2 text-[0.9em]">{name}</code>}
      {failed && (
        <>
          <CircleX aria-hidden className="ml-2 inline size-4.5 text-fail" />
          <span className="sr-only">, {traceStrings.tree.failed}</span>
        </>
      )}
    </>
  );
  const body = (
    <>
      <span className="mt-1 block [overflow-wrap:anywhere] whitespace-pre-wrap">{words}</span>
      {leftOut > 0 && <span className="mt-1 block text-base text-ink-soft">{text.leftOut(leftOut)}</span>}
    </>
  );
  if (words.length <= SHORT) {
    return (
      <div>
        {title}
        {body}
      </div>
    );
  }
  return (
    <More words={<span className="text-ink">{title}</span>} isOpen={isOpen} className="">
      {body}
    </More>
  );
}

function wordsOf({ who, name, text: words, failed }: TracePassage): string {
  if (who === "history") return text.earlier(name);
  return words === "" && failed ? text.unsaid : words;
}
