/** Where Paige stepped in, day by day, as stacked bars; what was let through is in the numbers behind. */

import type { ReactNode } from "react";

import { guardStrings } from "../../../strings-guard";
import { longDay } from "../../../ui/plots/days";
import { StackedPlot } from "../../../ui/plots/stacked-plot";
import type { GuardCounts, GuardDay } from "../../../wire/generated";

const text = guardStrings.plot;
const PARTS = (
  [
    ["denied", "fill-fail"],
    ["asked", "fill-warn"],
    ["changed", "fill-accent"],
    ["fault", "fill-ink"],
  ] as const satisfies [keyof GuardCounts, string][]
).map(([key, fill]) => ({ key, fill, name: guardStrings.verdicts[key] }));

export function DayPlot({ days }: { days: GuardDay[] }): ReactNode {
  const counted = new Map(days.map(({ day, counts }) => [day, counts]));
  const countsOf = (day: string): GuardCounts => counted.get(day) ?? { denied: 0, asked: 0, changed: 0, fault: 0, passed: 0 };
  const total = days.reduce((sum, { counts }) => sum + PARTS.reduce((all, { key }) => all + counts[key], 0), 0);
  return (
    <StackedPlot
      name={text.name}
      summary={text.summary(total)}
      parts={PARTS}
      days={days.map(({ day, counts }) => ({ day, values: counts }))}
      read={({ day }) => text.point(longDay(day), countsOf(day))}
      columns={text.columns}
      row={({ day }) => {
        const { denied, asked, changed, fault, passed } = countsOf(day);
        return [denied, asked, changed, fault, passed].map(String);
      }}
    />
  );
}
