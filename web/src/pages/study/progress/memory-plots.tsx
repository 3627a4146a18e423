/** What is remembered now and later, and the reviews that are planned against forgetting. */

import type { ReactNode } from "react";

import { progressStrings } from "../../../strings-study-progress";
import { BarPlot } from "../../../ui/plots/bar-plot";
import { longDay, shortDay } from "../../../ui/plots/days";
import { LinePlot } from "../../../ui/plots/line-plot";
import { ShareBars } from "../../../ui/plots/share-bars";
import { Section } from "../../../ui/section";
import type { StudyReport } from "../../../wire/generated";
import { fadingFirst, sum } from "./reading";

const MOST_FADING = 8;
const A_WEEK = 7;

interface MemoryProps {
  report: StudyReport;
  exam: string | null;
}

export function RecallSection({ report, exam }: MemoryProps): ReactNode {
  const text = progressStrings.recall;
  const [first, last] = [report.recall.at(0), report.recall.at(-1)];
  if (first === undefined || last === undefined) return null;
  return (
    <Section className="min-w-0" heading={text.heading} lead={text.lead}>
      <LinePlot
        name={text.name}
        summary={text.summary(first.share, last.share, shortDay(last.day))}
        points={report.recall}
        read={({ day, share }) => text.read(longDay(day), share)}
        aim={{ share: report.retention.planned, text: text.aim(report.retention.planned) }}
        mark={exam === null ? null : { day: exam, text: text.exam }}
        columns={text.columns}
      />
    </Section>
  );
}

export function LoadSection({ report, exam }: MemoryProps): ReactNode {
  const text = progressStrings.load;
  const bars = report.forecast.map(({ day, expected }) => ({ day, value: Math.round(expected) }));
  const values = bars.map(({ value }) => value);
  if (sum(values) === 0) {
    return (
      <Section className="min-w-0" heading={text.heading}>
        <p className="text-ink-soft">{text.none}</p>
      </Section>
    );
  }
  return (
    <Section className="min-w-0" heading={text.heading} lead={text.lead}>
      <BarPlot
        name={text.name}
        summary={text.summary(values[0] ?? 0, sum(values.slice(0, A_WEEK)))}
        bars={bars}
        read={({ day, value }) => text.read(longDay(day), value)}
        mark={exam === null ? null : { day: exam, text: progressStrings.recall.exam }}
        columns={text.columns}
      />
    </Section>
  );
}

export function FadingSection({ report }: { report: StudyReport }): ReactNode {
  const text = progressStrings.fading;
  const found = fadingFirst(report.concepts);
  if (found.length === 0) return null;
  const rows = found.slice(0, MOST_FADING).map(({ id, title, recall }) => ({
    id,
    name: title,
    share: recall,
    shown: progressStrings.percent(recall),
  }));
  return (
    <Section className="min-w-0" heading={text.heading} lead={text.lead(report.retention.planned)}>
      <ShareBars caption={text.caption} columns={text.columns} rows={rows} mark={report.retention.planned} />
      {found.length > MOST_FADING && <p className="mt-1 text-base text-ink-soft">{text.more(found.length - MOST_FADING)}</p>}
    </Section>
  );
}
