/** What Paige says about an answer, line by line. */

import { CircleCheck, CircleDashed, CircleX, Info, type LucideIcon } from "lucide-react";
import type { ReactNode } from "react";

import { sessionStrings as text } from "../../../strings-study-session";
import { Marked } from "../../../ui/marked";
import { isHowToContinue, type Tone, withoutRepeats } from "./flow";
import { StudyText } from "./study-text";
import type { Exchange } from "./use-session";

export const TONES: Record<Tone, { icon: LucideIcon; color: string; edge: string }> = {
  right: { icon: CircleCheck, color: "text-ok", edge: "border-l-ok" },
  nearly: { icon: CircleDashed, color: "text-warn", edge: "border-l-warn" },
  wrong: { icon: CircleX, color: "text-fail", edge: "border-l-fail" },
  neutral: { icon: Info, color: "text-ink-soft", edge: "border-l-edge" },
};

interface SaidProps {
  says: readonly string[];
  /** For what tests say: no markdown, lines as they are. */
  isPlain?: boolean;
  className?: string;
}

export function Said({ says, isPlain = false, className = "" }: SaidProps): ReactNode {
  return (
    <div className={`flex max-w-prose flex-col gap-2 ${className}`}>
      {says.map((line, place) =>
        isPlain ? (
          <Marked key={place} text={line} className="block whitespace-pre-wrap" />
        ) : (
          <StudyText key={place} text={capitalised(line)} deeper={3} />
        ),
      )}
    </div>
  );
}

/** A remark that was written as part of a sentence stands alone here. */
function capitalised(line: string): string {
  return /^[a-z]{2,} /.test(line) ? `${line.charAt(0).toUpperCase()}${line.slice(1)}` : line;
}

/** The tries at one question: what somebody answered, and what was said to it. */
export function Talk({ talk, isPlain = false }: { talk: readonly Exchange[]; isPlain?: boolean }): ReactNode {
  if (talk.length === 0) return null;
  return (
    <ol className="mt-5 flex flex-col gap-3">
      {talk.map(({ mine, says }, place) => (
        <li key={place} className="flex flex-col gap-2">
          {mine !== "" && (
            <p className="ml-auto max-w-[85%] rounded-2xl rounded-br-sm bg-cover px-4 py-2 whitespace-pre-wrap">
              <span className="sr-only">{text.you}: </span>
              {mine}
            </p>
          )}
          <div className="study-arrive mr-auto max-w-[95%] rounded-2xl rounded-bl-sm border border-line bg-paper px-4 py-2">
            <span className="sr-only">{text.paige}: </span>
            <Said says={withoutRepeats(says).filter((line) => !isHowToContinue(line))} isPlain={isPlain} />
          </div>
        </li>
      ))}
    </ol>
  );
}
