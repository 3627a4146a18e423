/** What goes wrong, and how each kind of exercise goes. */

import type { ReactNode } from "react";

import { studyStrings } from "../../../strings-study";
import { progressStrings } from "../../../strings-study-progress";
import { ShareBars } from "../../../ui/plots/share-bars";
import { Section } from "../../../ui/section";
import type { StudyModality, StudyReport } from "../../../wire/generated";

/** Fewer exercises say nothing about a kind. */
const ENOUGH = 3;

/** A pattern of mistakes; the server says in words what it is and what helps against it, where it knows. */
type Pattern = StudyReport["errors"][number];

export function ErrorsSection({ report }: { report: StudyReport }): ReactNode {
  const text = progressStrings.errors;
  const most = Math.max(1, ...report.errors.map(({ count }) => count));
  if (report.errors.length === 0) {
    return (
      <Section className="min-w-0" heading={text.heading}>
        <p className="text-ink-soft">{text.none}</p>
      </Section>
    );
  }
  const rows = report.errors.map((error: Pattern) => ({
    id: error.type,
    name: <b className="font-semibold">{sentence(error.says ?? error.type.replaceAll("_", " "))}</b>,
    ...(error.practise != null && { note: error.practise }),
    share: error.count / most,
    shown: text.times(error.count),
  }));
  return (
    <Section className="min-w-0" heading={text.heading} lead={text.lead}>
      <ShareBars isWordy caption={text.caption} columns={text.columns} rows={rows} />
    </Section>
  );
}

export function ModalitiesSection({ report }: { report: StudyReport }): ReactNode {
  const text = progressStrings.modalities;
  if (report.modalities.length === 0) return null;
  const { best, worst } = extremes(report.modalities);
  const rows = report.modalities.map(({ modality, attempts, average }) => {
    const remark = modality === best ? `, ${text.best.toLowerCase()}` : modality === worst ? `, ${text.worst.toLowerCase()}` : "";
    return {
      id: modality,
      name: studyStrings.modalities[modality],
      note: `${text.attempts(attempts)}${remark}`,
      share: average,
      shown: progressStrings.percent(average),
    };
  });
  return (
    <Section className="min-w-0" heading={text.heading} lead={text.lead}>
      <ShareBars caption={text.caption} columns={text.columns} rows={rows} />
    </Section>
  );
}

/** Where it goes best and worst, if the kinds were used enough and differ. */
export function extremes(found: readonly StudyModality[]): { best: string | null; worst: string | null } {
  const ranked = found.filter(({ attempts }) => attempts >= ENOUGH).sort((one, other) => other.average - one.average);
  const [first, last] = [ranked.at(0), ranked.at(-1)];
  if (first === undefined || last === undefined || first.average === last.average) return { best: null, worst: null };
  return { best: first.modality, worst: last.modality };
}

function sentence(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
