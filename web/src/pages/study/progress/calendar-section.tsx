/** The days of the last half year: how much was done, or how long it took. */

import { type ReactNode, useState } from "react";

import { progressStrings } from "../../../strings-study-progress";
import { CalendarPlot } from "../../../ui/plots/calendar-plot";
import { longDay } from "../../../ui/plots/days";
import type { StudyReport } from "../../../wire/generated";
import { RadioPill } from "../../../ui/radio-pill";
import { byDay, totalsOf } from "./reading";
import { Section } from "./section";

const text = progressStrings.calendar;

export function CalendarSection({ report }: { report: StudyReport }): ReactNode {
  const [shown, setShown] = useState<"exercises" | "minutes">("exercises");
  const totals = totalsOf(report.calendar, report.today);
  const read = shown === "exercises" ? text.readExercises : text.readMinutes;
  const choice = (
    <div role="radiogroup" aria-label={text.show} className="flex gap-2">
      {(["exercises", "minutes"] as const).map((each) => (
        <RadioPill
          key={each}
          name="calendar-shows"
          label={text[each]}
          isChosen={shown === each}
          onChoose={() => {
            setShown(each);
          }}
        />
      ))}
    </div>
  );
  return (
    <Section heading={text.heading} aside={choice}>
      <CalendarPlot
        name={text.name[shown]}
        summary={text.summary(totals.exercises, totals.minutes, totals.days)}
        values={byDay(report.calendar, shown)}
        today={report.today}
        read={({ day, value }) => read(longDay(day), value)}
        columns={text.columns[shown]}
        show={(value) => Math.round(value).toLocaleString()}
      />
    </Section>
  );
}
