/** What the plots of the progress page are made from, worked out of the report. */

import type { StudyDay, StudyReport, StudyReportConcept } from "../../../wire/generated";
import { addDays } from "../../../ui/plots/calendar";

const HALF_A_YEAR = 26 * 7;

export interface Totals {
  exercises: number;
  minutes: number;
  days: number;
}

/** What was done in the weeks that the calendar shows. */
export function totalsOf(calendar: readonly StudyDay[], today: string): Totals {
  const first = addDays(today, -HALF_A_YEAR);
  const shown = calendar.filter(({ day, exercises }) => day > first && day <= today && exercises > 0);
  return {
    exercises: sum(shown.map(({ exercises }) => exercises)),
    minutes: sum(shown.map(({ minutes }) => minutes)),
    days: shown.length,
  };
}

export function byDay(calendar: readonly StudyDay[], value: "exercises" | "minutes"): Record<string, number> {
  return Object.fromEntries(calendar.map((each) => [each.day, each[value]]));
}

/** Everything that was met, the least remembered first. */
export function fadingFirst(concepts: readonly StudyReportConcept[]): (StudyReportConcept & { recall: number })[] {
  return concepts
    .flatMap((each) => (each.recall === null ? [] : [{ ...each, recall: each.recall }]))
    .sort((one, other) => one.recall - other.recall);
}

export interface Figures {
  mastered: number;
  known: number;
  learning: number;
  toCome: number;
  total: number;
}

export function figuresOf({ counts, concepts }: Pick<StudyReport, "counts" | "concepts">): Figures {
  const count = (status: string): number => counts[status] ?? 0;
  return {
    mastered: count("mastered"),
    known: count("review"),
    learning: count("learning") + count("relearning"),
    toCome: count("new"),
    total: concepts.length,
  };
}

/** Whether anything was done that a plot could show. */
export function isBegun(report: StudyReport): boolean {
  return report.calendar.length > 0 || report.recall.length > 0;
}

export function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
