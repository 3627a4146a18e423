/** Tests, one by one: which pass, and what the others say. */

import { CircleCheck, CircleDashed, CircleX } from "lucide-react";
import type { ReactNode } from "react";

import { sessionStrings } from "../../../strings-study-session";
import type { StudyTest } from "../../../wire/generated";

const LOOKS = {
  passed: { icon: CircleCheck, color: "text-ok" },
  failed: { icon: CircleX, color: "text-fail" },
  error: { icon: CircleX, color: "text-fail" },
  timeout: { icon: CircleX, color: "text-fail" },
  skipped: { icon: CircleDashed, color: "text-ink-soft" },
};

export function TestList({ tests }: { tests: readonly StudyTest[] }): ReactNode {
  if (tests.length === 0) return null;
  return (
    <ul aria-label={sessionStrings.code.tests} className="mt-2 divide-y divide-rule border-y border-rule">
      {tests.map(({ name, status, description, message }) => {
        const { icon: Icon, color } = LOOKS[status];
        return (
          <li key={name} className="flex gap-3 py-2">
            <Icon aria-hidden className={`mt-1 size-5 shrink-0 ${color}`} />
            <div className="min-w-0">
              <p>
                {description || name} <span className={`text-base font-semibold ${color}`}>{sessionStrings.code.status[status]}</span>
              </p>
              {message !== "" && status !== "passed" && <p className="text-base whitespace-pre-wrap text-ink-soft">{message}</p>}
            </div>
          </li>
        );
      })}
    </ul>
  );
}
