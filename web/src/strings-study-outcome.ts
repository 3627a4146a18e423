/** Texts around a study session: what came of an answer, the end, the beginning of the next one. */

import { locale, words } from "./locale/words";
import type { StudyStart, StudyVerdict } from "./wire/generated";

export type SessionKind = NonNullable<StudyStart["kind"]>;

export const outcomeStrings = words("studyOutcome", {
  feedback: {
    heading: { right: "That is right", nearly: "Nearly", wrong: "Not yet", neutral: "Noted" },
    shown: "Here is the answer",
    score: (correct: number, total: number) => `${Number((correct - 1e-9).toFixed(1))} of ${total}`,
    verdicts: { correct: "Right", partial: "Partly right", incorrect: "Not right", unanswered: "Not answered" } satisfies Record<StudyVerdict["verdict"], string>,
    yours: "You wrote",
    expected: "Expected",
    rightOnes: (count: number) => (count === 1 ? "One answer was right" : `${count} answers were right`),
    strengths: "What went well",
    improvements: "What to work on",
    next: (title: string) => `Next: ${title}`,
    nextSame: "Next question",
    summary: "See how it went",
    nothing: "nothing",
  },

  summary: {
    heading: "Session done",
    quiz: "Quiz done",
    share: "right",
    exercises: (count: number) => (count === 1 ? "exercise" : "exercises"),
    minutes: "minutes",
    unaided: "without help",
    table: "Exercise by exercise",
    columns: { concept: "About", modality: "How", share: "Right", due: "Again" },
    answerShown: "answer shown",
    hints: (count: number) => (count === 1 ? "1 hint" : `${count} hints`),
    mastered: "Mastered",
    next: "What comes next",
    dueTomorrow: (count: number) => `${count} due by tomorrow`,
    dueWeek: (count: number) => `${count} due this week`,
    nextNew: (titles: string) => `New next time: ${titles}`,
    again: "Another session",
    progress: "Your progress",
    undo: "Take the last result back",
    undone: (title: string) => `The result about ${title} was taken back`,
    undoFailed: "The result could not be taken back",
    day: (moment: string) =>
      new Intl.DateTimeFormat(locale(), { weekday: "short", day: "numeric", month: "short" }).format(new Date(moment)),
  },

  start: {
    heading: "Ready when you are",
    lead: "A session recalls what is due, teaches something new and lets you practise it.",
    kind: "What kind of session",
    kinds: {
      study: { name: "Study", hint: "recall, something new, practice" },
      review: { name: "Review", hint: "only what is due" },
      quiz: { name: "Quiz", hint: "what you have met already" },
    } satisfies Record<SessionKind, { name: string; hint: string }>,
    minutes: "How long",
    minutesOption: (minutes: number) => `${minutes} minutes`,
    usual: "As usual",
    begin: "Begin",
    beginning: "Planning your session…",
    failed: "The session could not be begun",
    nothing: "Nothing is waiting today",
    ahead: "Go on with what is not due yet",
  },
});
