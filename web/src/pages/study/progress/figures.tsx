/** Where somebody is, in a few numbers. */

import type { ReactNode } from "react";

import { progressStrings } from "../../../strings-study-progress";
import { Figures } from "../../../ui/figures";
import type { StudyReport } from "../../../wire/generated";
import { StatusMark } from "../course/status-mark";
import { figuresOf } from "./reading";

const text = progressStrings.figures;

export function FiguresStrip({ report }: { report: StudyReport }): ReactNode {
  const figures = figuresOf(report);
  const { planned, measured, reviews } = report.retention;
  const counted = [
    { name: text.mastered, mark: "mastered", value: figures.mastered, note: text.of(figures.total) },
    { name: text.known, mark: "review", value: figures.known },
    { name: text.learning, mark: "learning", value: figures.learning },
    { name: text.toCome, mark: "new", value: figures.toCome },
  ] as const;
  return (
    <Figures
      label={text.label}
      columns={6}
      className="mt-6"
      figures={[
        ...counted.map(({ name, mark, ...rest }) => ({
          ...rest,
          key: name,
          name: (
            <span className="flex items-center gap-1.5">
              <StatusMark look={mark} />
              {name}
            </span>
          ),
        })),
        { key: "due", name: text.due, value: report.due.length },
        {
          key: "recalled",
          name: text.recalled,
          value: measured === null ? "–" : progressStrings.percent(measured),
          note: measured === null ? `${text.noRecalls}, ${text.firstAim(planned)}` : text.aim(planned, reviews),
        },
      ]}
    />
  );
}
