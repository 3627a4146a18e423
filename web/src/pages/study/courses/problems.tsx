/** What is wrong in files: where, what, and what to do about it. */

import { TriangleAlert } from "lucide-react";
import { type ReactNode, useId, useState } from "react";

import { coursesStrings } from "../../../strings-study-courses";
import { Button } from "../../../ui/button";
import { Marked } from "../../../ui/marked";
import type { StudyProblem } from "../../../wire/generated";

const text = coursesStrings.problem;
const FIRST = 5;

interface ProblemsProps {
  problems: readonly StudyProblem[];
  heading?: string;
  hint?: string;
  children?: ReactNode;
}

export function Problems({ problems, heading, hint = text.hint, children }: ProblemsProps): ReactNode {
  const id = useId();
  const [isWhole, setIsWhole] = useState(false);
  if (problems.length === 0) return null;
  const shown = isWhole ? problems : problems.slice(0, FIRST);
  return (
    <section aria-labelledby={id} className="mt-6 max-w-3xl rounded-lg border border-line border-l-4 border-l-warn bg-card p-4">
      <h2 id={id} className="flex items-center gap-2 text-lg">
        <TriangleAlert aria-hidden className="size-5 shrink-0 text-warn" />
        {heading ?? text.heading(problems.length)}
      </h2>
      <p className="text-base text-ink-soft">{hint}</p>
      <ul className="mt-3 flex flex-col gap-3">
        {shown.map((problem, place) => (
          <li key={place}>
            <p className="text-base break-words">
              <code className="rounded bg-line px-1 py-0.5">{problem.file}</code>
              {problem.line !== null && <span className="text-ink-soft"> {text.line(problem.line)}</span>}
            </p>
            <Marked className="block" text={problem.message} />
            <Marked className="block text-ink-soft" text={problem.fix} />
          </li>
        ))}
      </ul>
      {shown.length < problems.length && (
        <Button
          look="quiet"
          className="mt-3"
          onClick={() => {
            setIsWhole(true);
          }}
        >
          {text.more(problems.length - shown.length)}
        </Button>
      )}
      {children}
    </section>
  );
}
