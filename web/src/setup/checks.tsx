/** The checks of the server: each with its status in words, what was found and what to do. */

import { CircleCheck, CircleX, TriangleAlert } from "lucide-react";
import type { ReactNode } from "react";

import { strings } from "../strings";
import { Marked } from "../ui/marked";
import type { Check } from "../wire/generated";

const MARKS = {
  ok: { icon: CircleCheck, color: "text-ok" },
  warn: { icon: TriangleAlert, color: "text-warn" },
  fail: { icon: CircleX, color: "text-fail" },
} satisfies Record<Check["status"], unknown>;

export function Checks({ checks }: { checks: Check[] }): ReactNode {
  if (checks.length === 0) return <p className="text-ink-soft">{strings.setup.checksEmpty}</p>;
  return (
    <ul className="divide-y divide-rule border-y border-rule">
      {checks.map((check) => (
        <CheckRow key={`${check.name} ${check.message}`} check={check} />
      ))}
    </ul>
  );
}

/** How the checks went, in a few words. */
export function summarizeChecks(checks: Check[]): string {
  const count = (status: Check["status"]): number => checks.filter((check) => check.status === status).length;
  return strings.checkSummary({ total: checks.length, warn: count("warn"), fail: count("fail") });
}

function CheckRow({ check }: { check: Check }): ReactNode {
  const { icon: Icon, color } = MARKS[check.status];
  return (
    <li className="flex gap-3 py-2.5">
      <Icon aria-hidden className={`mt-1 size-5 shrink-0 ${color}`} />
      <div className="min-w-0 flex-1">
        <p className="flex flex-wrap items-baseline justify-between gap-x-3">
          <span className="font-semibold">{check.name}</span>
          <span className={`text-base font-semibold ${color}`}>{strings.checkStatus[check.status]}</span>
        </p>
        <Marked className="block text-ink-soft" text={check.message} />
        {check.fix !== null && (
          <p className="mt-1 border-l-2 border-edge pl-3">
            <span className="font-semibold">{strings.setup.fix}</span> <Marked text={check.fix} />
          </p>
        )}
      </div>
    </li>
  );
}
