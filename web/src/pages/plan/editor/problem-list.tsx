/** What is wrong with a file, each with a way to its line. */

import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { Marked } from "../../../ui/marked";
import type { PlanProblem } from "../../../wire/generated";

const text = planStrings.editor;

interface ProblemListProps {
  problems: PlanProblem[];
  isChanged: boolean;
  onGoTo: (line: number) => void;
}

export function ProblemList({ problems, isChanged, onGoTo }: ProblemListProps): ReactNode {
  if (problems.length === 0) return null;
  return (
    <section aria-label={text.problems(problems.length)} className="max-h-44 shrink-0 overflow-auto border-t border-line px-4 py-2.5">
      <h3 className="flex items-center gap-2 text-base font-semibold">
        <TriangleAlert aria-hidden className="size-4 text-warn" />
        {text.problems(problems.length)}
      </h3>
      {isChanged && <p className="text-sm text-ink-soft">{text.problemsOfSaved}</p>}
      <ul className="mt-1 flex flex-col gap-1 text-base">
        {problems.map(({ line, message }, place) => (
          <li key={place} className="flex items-baseline gap-3">
            {line === null ? (
              <span className="w-18 shrink-0 text-ink-soft">{text.whole}</span>
            ) : (
              <button
                type="button"
                className="prose-link w-18 shrink-0 text-left"
                onClick={() => {
                  onGoTo(line);
                }}
              >
                {planStrings.document.line(line)}
              </button>
            )}
            <Marked text={message} />
          </li>
        ))}
      </ul>
    </section>
  );
}
