/** The last days in five numbers. */

import type { ReactNode } from "react";

import { locale } from "../../../locale/words";
import { guardStrings } from "../../../strings-guard";
import { Figures } from "../../../ui/figures";
import { Section } from "../../../ui/section";
import type { GuardCounts, GuardOverview } from "../../../wire/generated";
import { VerdictMark } from "../marks";

const text = guardStrings.summary;
const ORDER = ["denied", "asked", "changed", "passed", "fault"] as const satisfies (keyof GuardCounts)[];

export function Summary({ overview }: { overview: GuardOverview }): ReactNode {
  return (
    <Section heading={text.heading} className="">
      <Figures
        columns={5}
        figures={ORDER.map((verdict) => ({
          key: verdict,
          name: <VerdictMark verdict={verdict} />,
          value: overview.counts[verdict].toLocaleString(locale()),
          note: text.details[verdict],
        }))}
      />
      <p className="mt-2 text-base text-ink-soft [overflow-wrap:anywhere]">
        {text.folder} <code className="text-[0.9em]">{overview.folder}</code>
        {!overview.complete && ` · ${text.partial}`}
      </p>
    </Section>
  );
}
