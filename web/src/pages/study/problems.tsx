/** What is wrong in files: where, what, and what to do about it. */

import { type ReactNode, useState } from "react";

import { coursesStrings } from "../../strings-study-courses";
import { Marked } from "../../ui/marked";
import { Notice } from "../../ui/notice";
import { ShowMore } from "../../ui/shown";
import type { StudyProblem } from "../../wire/generated";

const text = coursesStrings.problem;
const FIRST = 5;

interface ProblemsProps {
  problems: readonly StudyProblem[];
  heading?: string;
  hint?: string;
  children?: ReactNode;
}

export function Problems({ problems, heading, hint = text.hint, children }: ProblemsProps): ReactNode {
  const [isWhole, setIsWhole] = useState(false);
  if (problems.length === 0) return null;
  const shown = isWhole ? problems : problems.slice(0, FIRST);
  return (
    <Notice tone="warn" title={heading ?? text.heading(problems.length)} className="mt-6 max-w-3xl">
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
        <ShowMore
          words={text.more(problems.length - shown.length)}
          isBusy={false}
          onMore={() => {
            setIsWhole(true);
          }}
        />
      )}
      {children}
    </Notice>
  );
}
