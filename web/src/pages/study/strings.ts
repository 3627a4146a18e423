/** Texts of the Study pages; those of a session are in session/strings.ts. */

import { locale, words } from "../../locale/words";
import type { StudyStep } from "../../wire/generated";

type Modality = NonNullable<StudyStep["exercise"]>["modality"];

function counted(count: number, one: string): string {
  const rounded = Math.round(count);
  return rounded === 1 ? `1 ${one}` : `${rounded} ${one}s`;
}

export const studyStrings = words("study", {
  titles: {
    today: "Study",
    courses: "Courses",
    course: "Course",
    session: "Session",
    progress: "Progress",
    settings: "Study settings",
  },

  route: {
    loading: "Opening the page…",
    failed: "This page could not be opened",
    failedHint: "Paige may have stopped or been updated. Try again, or reload the page.",
  },

  today: {
    failed: "Your courses could not be read",
    loading: "Reading your courses…",
    due: (count: number) => (count === 1 ? "1 thing is due" : `${count} things are due`),
    nothingDue: "Nothing is due: a good day for something new",
    fresh: "Learn something, and still know it next month",
    streak: (days: number) => (days === 1 ? "1 day in a row" : `${days} days in a row`),
    goOnHeading: "Go on where you were",
    goOn: "Go on",
    coursesHeading: "Your courses",
    otherHeading: "More courses",
    beginHeading: "Begin with one of these",
    start: (minutes: number) => `Start · ${minutes} minutes`,
    /** After the words of a button, for whoever does not see which card it is on. */
    about: (title: string) => `(${title})`,
    starting: "Planning your session…",
    startFailed: "The session could not be begun",
    review: "Review or quiz",
    open: (kind: string, done: number, of: number) => `${kind} · ${done} of ${of} done`,
    openAt: (title: string) => `You were at: ${title}`,
    minutesLeft: (minutes: number) => (minutes < 1.5 ? "1 minute left" : `${Math.round(minutes)} minutes left`),
    facts: ({ due, ready, mastered, concepts }: { due: number; ready: number; mastered: number; concepts: number }) =>
      [
        due > 0 && `${due} due`,
        ready > 0 && `${ready} new to begin`,
        `${mastered} of ${concepts} mastered`,
      ]
        .filter(Boolean)
        .join(" · "),
    size: (concepts: number, items: number) => `${concepts} concepts, ${items} exercises`,
    exam: (day: string) =>
      `Exam on ${new Intl.DateTimeFormat(locale(), { day: "numeric", month: "long" }).format(new Date(day))}`,
    weeks: "The last two weeks",
    weeksTotal: (minutes: number, exercises: number) => `${counted(minutes, "minute")}, ${counted(exercises, "exercise")}`,
    weeksTable: "As a table",
    day: "Day",
    exercises: "Exercises",
    minutesColumn: "Minutes",
    dayName: (day: string) =>
      new Intl.DateTimeFormat(locale(), { weekday: "short", day: "numeric", month: "short", timeZone: "UTC" }).format(new Date(day)),
    weekday: (day: string) => new Intl.DateTimeFormat(locale(), { weekday: "narrow", timeZone: "UTC" }).format(new Date(day)),
    dayValue: (name: string, minutes: number, exercises: number) => `${name}: ${counted(minutes, "minute")}, ${counted(exercises, "exercise")}`,
    details: "Course and map",
    progress: "Progress",
    how: [
      { title: "Recall first", text: "A session opens with what you should still know. Trying to remember is what makes it stay." },
      { title: "Then something new", text: "A short lesson with an example, one question, and an exercise that suits it." },
      { title: "Come back when it is due", text: "Paige works out when you are about to forget, and asks just before." },
    ],
    howHeading: "How it works",
    local: "Exercises are made and marked on this machine, by rules.",
    model: (provider: string) => `Exercises may be made and marked by ${provider}.`,
  },

  modalities: {
    worksheet: "Worksheet",
    conversation: "Conversation",
    code: "Code",
    long_form: "Long answer",
    image_review: "Photo",
    flashcard: "Flashcard",
    repl: "At a prompt",
    audio: "Listening",
    collaborative: "Together",
  } satisfies Record<Modality, string>,
});
