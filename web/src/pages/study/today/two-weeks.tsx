/** The minutes of the last two weeks as bars, with the numbers behind them as a table. */

import type { ReactNode } from "react";

import { studyStrings } from "../../../strings-study";
import { wholeTicks } from "../../../ui/plots/scales";
import { StackedPlot } from "../../../ui/plots/stacked-plot";
import { Section } from "../../../ui/section";
import type { StudyDay } from "../../../wire/generated";

const text = studyStrings.today;
/** So that a day of five minutes does not look like a day of work. */
const LEAST_FULL = 25;

export function TwoWeeks({ days }: { days: readonly StudyDay[] }): ReactNode {
  const minutes = days.reduce((sum, day) => sum + day.minutes, 0);
  const exercises = days.reduce((sum, day) => sum + day.exercises, 0);
  const exercisesOn = new Map(days.map((day) => [day.day, day.exercises]));
  return (
    <Section heading={text.weeks} className="max-w-3xl">
      <StackedPlot
        name={text.weeks}
        summary={text.weeksTotal(minutes, exercises)}
        parts={[{ key: "minutes", name: text.minutesColumn, fill: "fill-spine" }]}
        days={days.map((day) => ({ day: day.day, values: { minutes: Math.round(day.minutes) } }))}
        ticks={(most) => wholeTicks(Math.max(most, LEAST_FULL), 3)}
        read={({ day, values }) => text.dayValue(text.dayName(day), values.minutes ?? 0, exercisesOn.get(day) ?? 0)}
        columns={[text.day, text.exercises, text.minutesColumn]}
        row={({ day, values }) => [String(exercisesOn.get(day) ?? 0), String(values.minutes ?? 0)]}
      />
    </Section>
  );
}
