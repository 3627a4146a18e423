/** What every day cost, a bar of the models on top of each other. */

import { type ReactNode, useMemo } from "react";

import { costStrings } from "../../../strings-costs";
import { Empty } from "../../../ui/empty";
import { longDay } from "../../../ui/plots/days";
import { FILLS, StackedPlot, type StackDay } from "../../../ui/plots/stacked-plot";
import { Section } from "../../../ui/section";
import type { Costs } from "../../../wire/generated";
import { showMoney, showRoundMoney } from "../amounts";
import { daysByModel, moneyTicks, OTHERS } from "./sums";

const text = costStrings.days;

export function DayCosts({ costs }: { costs: Costs }): ReactNode {
  const { models, days } = useMemo(() => daysByModel(costs, FILLS.length), [costs]);
  const sum = ({ values }: StackDay<string>): number => Object.values(values).reduce<number>((all, value) => all + (value ?? 0), 0);
  const dearest = days.reduce((most, day) => (sum(day) > sum(most) ? day : most), days[0] ?? { day: "", values: {} });
  return (
    <Section heading={text.heading}>
      {models.length === 0 ? (
        <Empty title={text.none} hint={costStrings.nothingHint} />
      ) : (
        <StackedPlot
          name={text.name}
          summary={text.summary(showMoney(sum(dearest)), longDay(dearest.day))}
          parts={models.map((key, place) => ({ key, name: nameOf(key), fill: FILLS[place] ?? FILLS[0] }))}
          days={days}
          read={(day) =>
            text.point(
              longDay(day.day),
              showMoney(sum(day)),
              models.flatMap((key) => (day.values[key] ? [text.part(nameOf(key), showMoney(day.values[key]))] : [])).join(", "),
            )
          }
          columns={[text.day, ...models.map(nameOf), text.total]}
          row={(day) => [...models.map((key) => showMoney(day.values[key] ?? 0)), showMoney(sum(day))]}
          ticks={moneyTicks}
          show={showRoundMoney}
        />
      )}
    </Section>
  );
}

function nameOf(key: string): string {
  return key === OTHERS ? text.others : key;
}
