/** What could not be searched, by name. */

import type { ReactNode } from "react";

import { findingStrings as text } from "../strings-finding";
import { Marked } from "../ui/marked";
import { Notice } from "../ui/notice";
import type { SearchProblem } from "../wire/generated";

export function Problems({ problems }: { problems: readonly SearchProblem[] }): ReactNode {
  if (problems.length === 0) return null;
  return (
    <div className="mt-6">
      <Notice tone="warn" title={text.problems}>
        <ul>
          {problems.map(({ source, message, hint }) => (
            <li key={source}>
              <Marked text={`${text.problem(text.sources[source], message)} ${hint ?? ""}`} />
            </li>
          ))}
        </ul>
      </Notice>
    </div>
  );
}
