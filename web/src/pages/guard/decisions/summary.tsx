/** The last days in five numbers. */

import type { ReactNode } from "react";

import { guardStrings } from "../../../strings-guard";
import type { GuardCounts, GuardOverview } from "../../../wire/generated";
import { VerdictMark } from "../marks";

const text = guardStrings.summary;
const ORDER = ["denied", "asked", "changed", "passed", "fault"] as const satisfies (keyof GuardCounts)[];

export function Summary({ overview }: { overview: GuardOverview }): ReactNode {
  return (
    <section aria-labelledby="guard-summary">
      <h2 id="guard-summary" className="text-xl">
        {text.heading}
      </h2>
      <dl className="mt-3 grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line sm:grid-cols-3 xl:grid-cols-5">
        {ORDER.map((verdict) => (
          <div key={verdict} className="flex flex-col bg-card px-4 py-2.5 max-sm:first:col-span-2 sm:max-xl:first:col-span-2">
            <dt>
              <VerdictMark verdict={verdict} />
            </dt>
            <dd className="flex flex-col">
              <span className="text-xl font-semibold tabular-nums">{overview.counts[verdict].toLocaleString()}</span>
              <span className="text-base text-ink-soft">{text.details[verdict]}</span>
            </dd>
          </div>
        ))}
      </dl>
      <p className="mt-2 text-base text-ink-soft [overflow-wrap:anywhere]">
        {text.folder} <code className="text-[0.9em]">{overview.folder}</code>
        {!overview.complete && ` · ${text.partial}`}
      </p>
    </section>
  );
}
