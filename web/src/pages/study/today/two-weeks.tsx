/** The minutes of the last two weeks as bars, with the numbers behind them as a table. */

import type { ReactNode } from "react";

import { studyStrings } from "../../../strings-study";
import type { StudyDay } from "../../../wire/generated";

const text = studyStrings.today;
const HEIGHT = 72;
const LEAST_FULL = 25;

export function TwoWeeks({ days }: { days: readonly StudyDay[] }): ReactNode {
  const most = Math.max(LEAST_FULL, ...days.map(({ minutes }) => minutes));
  const minutes = days.reduce((sum, day) => sum + day.minutes, 0);
  const exercises = days.reduce((sum, day) => sum + day.exercises, 0);
  return (
    <section aria-labelledby="study-weeks">
      <h2 id="study-weeks" className="text-2xl">
        {text.weeks}
      </h2>
      <p className="mt-1 text-ink-soft">{text.weeksTotal(minutes, exercises)}</p>
      <div aria-hidden className="mt-4 flex max-w-2xl items-end gap-1 sm:gap-2">
        {days.map((day) => (
          <div key={day.day} title={text.dayValue(text.dayName(day.day), day.minutes, day.exercises)} className="flex flex-1 flex-col items-center gap-1">
            <div
              className={`w-full rounded-t ${day.exercises > 0 ? "bg-spine" : "bg-line"}`}
              style={{ height: day.exercises > 0 ? Math.max(6, (day.minutes / most) * HEIGHT) : 3 }}
            />
            <span className="text-sm text-ink-soft">{text.weekday(day.day)}</span>
          </div>
        ))}
      </div>
      <details className="mt-2 max-w-2xl">
        <summary className="min-h-8 w-fit cursor-pointer font-semibold">{text.weeksTable}</summary>
        <table className="mt-2 w-full text-left">
          <thead>
            <tr className="border-b border-line">
              <th scope="col">{text.day}</th>
              <th scope="col">{text.exercises}</th>
              <th scope="col">{text.minutesColumn}</th>
            </tr>
          </thead>
          <tbody>
            {days.map((day) => (
              <tr key={day.day} className="border-b border-rule">
                <th scope="row" className="font-normal">
                  {text.dayName(day.day)}
                </th>
                <td className="tabular-nums">{day.exercises}</td>
                <td className="tabular-nums">{Math.round(day.minutes)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </details>
    </section>
  );
}
