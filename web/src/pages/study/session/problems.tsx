/** Files that cannot be read as they are: where, what, and what to do. Everything else goes on. */

import { TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { sessionStrings as text } from "../../../strings-study-session";
import { Marked } from "../../../ui/marked";
import type { StudyProblem } from "../../../wire/generated";

export function Problems({ problems }: { problems: readonly StudyProblem[] }): ReactNode {
  if (problems.length === 0) return null;
  return (
    <details className="mt-6 rounded-xl border border-line border-l-4 border-l-warn bg-card px-5 py-3">
      <summary className="flex min-h-8 cursor-pointer items-center gap-2 font-semibold">
        <TriangleAlert aria-hidden className="size-5 text-warn" />
        {text.problems(problems.length)}
      </summary>
      <ul className="mt-2 divide-y divide-rule">
        {problems.map(({ file, line, message, fix }) => (
          <li key={`${file}:${line ?? ""}:${message}`} className="py-2">
            <p className="text-base break-all text-ink-soft">{text.problemPlace(file, line)}</p>
            <Marked className="block" text={message} />
            <Marked className="block text-ink-soft" text={fix} />
          </li>
        ))}
      </ul>
    </details>
  );
}
