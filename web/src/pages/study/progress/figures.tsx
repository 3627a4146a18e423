/** Where somebody is, in a few numbers. */

import type { ReactNode } from "react";

import { progressStrings } from "../../../strings-study-progress";
import type { StudyReport } from "../../../wire/generated";
import { StatusMark } from "../course/status-mark";
import { figuresOf } from "./reading";

const text = progressStrings.figures;

export function FiguresStrip({ report }: { report: StudyReport }): ReactNode {
  const figures = figuresOf(report);
  const { planned, measured, reviews } = report.retention;
  return (
    <dl aria-label={text.label} className="grid grid-cols-2 gap-x-6 gap-y-4 border-b border-rule py-5 sm:grid-cols-3 lg:grid-cols-[repeat(5,1fr)_minmax(11rem,auto)]">
      <Figure name={text.mastered} mark="mastered" value={figures.mastered} note={text.of(figures.total)} />
      <Figure name={text.known} mark="review" value={figures.known} />
      <Figure name={text.learning} mark="learning" value={figures.learning} />
      <Figure name={text.toCome} mark="new" value={figures.toCome} />
      <Figure name={text.due} value={report.due.length} />
      <Figure
        name={text.recalled}
        value={measured === null ? "–" : progressStrings.percent(measured)}
        note={measured === null ? `${text.noRecalls}, ${text.firstAim(planned)}` : text.aim(planned, reviews)}
      />
    </dl>
  );
}

interface FigureProps {
  name: string;
  value: number | string;
  note?: string;
  mark?: "mastered" | "review" | "learning" | "new";
}

function Figure({ name, value, note, mark }: FigureProps): ReactNode {
  return (
    <div className="flex flex-col">
      <dt className="flex items-center gap-1.5 text-base text-ink-soft">
        {mark !== undefined && <StatusMark look={mark} />}
        {name}
      </dt>
      <dd className="font-heading text-3xl font-semibold tabular-nums">{value}</dd>
      {note !== undefined && <dd className="text-base text-ink-soft">{note}</dd>}
    </div>
  );
}
