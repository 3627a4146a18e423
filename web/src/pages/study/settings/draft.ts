/** What somebody has changed and not saved yet. Pure. */

import type { StudyProfile, StudyProfileChange } from "../../../wire/generated";

type Modality = StudyProfile["preferred"][number];
type Week = NonNullable<StudyProfileChange["easyDays"]>;
export type Wish = "more" | "neutral" | "never";
export const EASY = 0.2;

/** What is sent: only what differs from what is known. */
export function changesOf(profile: StudyProfile, draft: StudyProfileChange): StudyProfileChange {
  const known: Record<string, unknown> = { ...profile, exams: Object.fromEntries(profile.courses.map(({ name, exam }) => [name, exam])) };
  const entries = Object.entries(draft).filter(([name, value]) => value !== null && !isSame(name, known[name], value));
  return Object.fromEntries(entries);
}

function isSame(name: string, known: unknown, value: unknown): boolean {
  if (name !== "exams") return JSON.stringify(known) === JSON.stringify(value);
  const before = known as Record<string, string | null>;
  return Object.entries(value as Record<string, string | null>).every(([course, day]) => (before[course] ?? null) === day);
}

/** The profile as it would be with the changes. */
export function withDraft(profile: StudyProfile, draft: StudyProfileChange): StudyProfile {
  const { exams, ...others } = draft;
  const said = Object.fromEntries(Object.entries(others).filter(([, value]) => value !== null));
  return {
    ...profile,
    ...said,
    courses: profile.courses.map((course) => ({
      ...course,
      exam: exams?.[course.name] === undefined ? course.exam : (exams[course.name] ?? null),
    })),
  };
}

export function wishFor(profile: StudyProfile, modality: Modality): Wish {
  if (profile.preferred.includes(modality)) return "more";
  return profile.avoided.includes(modality) ? "never" : "neutral";
}

/** Both lists after a wish: a kind is never in two of them. */
export function withWish(profile: StudyProfile, modality: Modality, wish: Wish): Pick<StudyProfileChange, "preferred" | "avoided"> {
  const without = (list: readonly Modality[]): Modality[] => list.filter((each) => each !== modality);
  return {
    preferred: wish === "more" ? [...without(profile.preferred), modality] : without(profile.preferred),
    avoided: wish === "never" ? [...without(profile.avoided), modality] : without(profile.avoided),
  };
}

/** The week with one day easy, or ordinary again. */
export function withDay(shares: readonly number[], weekday: number, isEasy: boolean): Week {
  return shares.map((share, place) => (place === weekday ? (isEasy ? EASY : 1) : share)) as Week;
}
