/** The days of the last half year: how much was done, or how long it took. */

import { type ReactNode, useState } from "react";

import { locale } from "../../../locale/words";
import { progressStrings } from "../../../strings-study-progress";
import { CalendarPlot } from "../../../ui/plots/calendar-plot";
import { longDay } from "../../../ui/plots/days";
import { RadioPills } from "../../../ui/radio-pill";
import { Section } from "../../../ui/section";
import type { StudyReport } from "../../../wire/generated";
import { byDay, totalsOf } from "./reading";

const text = progressStrings.calendar;

export function CalendarSection({ report }: { report: StudyReport }): ReactNode {
  const [shown, setShown] = useState<"exercises" | "minutes">("exercises");
  const totals = totalsOf(report.calendar, report.today);
  const read = shown === "exercises" ? text.readExercises : text.readMinutes;
  const choice = (
    <RadioPills
      label={text.show}
      value={shown}
      options={(["exercises", "minutes"] as const).map((each) => [each, text[each]])}
      onChoose={setShown}
    />
  );
  return (
    <Section className="min-w-0" heading={text.heading} aside={choice}>
      <CalendarPlot
        name={text.name[shown]}
        summary={text.summary(totals.exercises, totals.minutes, totals.days)}
        values={byDay(report.calendar, shown)}
        today={report.today}
        read={({ day, value }) => read(longDay(day), value)}
        columns={text.columns[shown]}
        show={(value) => Math.round(value).toLocaleString(locale())}
      />
    </Section>
  );
}
