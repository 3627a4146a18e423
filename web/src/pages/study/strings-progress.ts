/** Texts of the plots, the progress page and the settings of Study. */

import { locale, words } from "../../locale/words";
import type { StudyConcept } from "../../wire/generated";

const percent = (share: number): string => `${Math.round(share * 100)}%`;
const plural = (count: number, one: string, many = `${one}s`): string =>
  `${count.toLocaleString(locale())} ${count === 1 ? one : many}`;

/** How far a concept is, for people; `ready` is new with everything known that it needs. */
export const statusStrings = words("studyStatus", {
  new: "Not begun",
  ready: "Ready",
  learning: "Learning",
  relearning: "Slipped",
  review: "Known",
  mastered: "Mastered",
} satisfies Record<StudyConcept["status"] | "ready", string>);

export const progressStrings = words("studyProgress", {
  heading: (course: string) => `Progress in ${course}`,
  loading: "Reading your progress…",
  failed: "Your progress could not be read",
  links: "Pages of this course",
  toCourse: "Course and map",
  toSettings: "Study settings",
  percent,

  nothing: {
    title: "There is nothing to plot yet.",
    hint: "Plots appear after your first exercises: what you remember, what comes back when, what goes well.",
    start: "Start a session",
  },

  figures: {
    label: "Where you are",
    mastered: "Mastered",
    known: "Known",
    learning: "Learning",
    toCome: "To come",
    due: "Due now",
    of: (count: number) => `of ${plural(count, "concept")}`,
    recalled: "Recalled",
    noRecalls: "not measured yet",
    aim: (share: number, reviews: number) => `aim ${percent(share)}, ${plural(reviews, "review")}`,
    firstAim: (share: number) => `aim ${percent(share)}`,
  },

  recall: {
    heading: "What you will remember",
    lead: "If you reviewed nothing from now on. Reviews are placed so that you stay above the aim.",
    name: "Share remembered on the days to come without any review",
    aim: (share: number) => `Aim ${percent(share)}`,
    summary: (now: number, then: number, day: string) =>
      `${percent(now)} today, ${percent(then)} on ${day} if nothing is reviewed.`,
    read: (day: string, share: number) => `${day}: ${percent(share)} remembered`,
    columns: ["Day", "Remembered"] as [string, string],
    exam: "Exam",
  },

  fading: {
    heading: "Fading first",
    lead: (aim: number) => `How likely each is remembered now. The upright line is your aim, ${percent(aim)}.`,
    caption: "How likely concepts are remembered now, the least likely first",
    columns: ["Concept", "Remembered now"] as [string, string],
    more: (count: number) => `${plural(count, "more concept")} above these`,
  },

  load: {
    heading: "Reviews to come",
    lead: "What falls due on which day, as things stand. Every review moves what it was about further away.",
    name: "Reviews that fall due on the days to come",
    none: "Nothing falls due in the next weeks.",
    summary: (today: number, week: number) => `${plural(today, "review")} today, ${week.toLocaleString(locale())} in the next 7 days.`,
    read: (day: string, count: number) => `${day}: ${plural(count, "review")}`,
    columns: ["Day", "Reviews"] as [string, string],
  },

  calendar: {
    heading: "Your days",
    show: "Show",
    exercises: "Exercises",
    minutes: "Minutes",
    name: { exercises: "Exercises by day", minutes: "Minutes by day" },
    readExercises: (day: string, count: number) => `${day}: ${plural(count, "exercise")}`,
    readMinutes: (day: string, minutes: number) => `${day}: ${plural(Math.round(minutes), "minute")}`,
    summary: (exercises: number, minutes: number, days: number) =>
      `${plural(exercises, "exercise")} and ${plural(Math.round(minutes), "minute")} on ${plural(days, "day")} of the last half year.`,
    columns: { exercises: ["Week", "Exercises"] as [string, string], minutes: ["Week", "Minutes"] as [string, string] },
  },

  errors: {
    heading: "What goes wrong",
    lead: "Mistakes by their pattern. The next exercises are aimed at those that come back.",
    caption: "Mistakes by pattern, the most frequent first",
    columns: ["Pattern", "How often"] as [string, string],
    times: (count: number) => (count === 1 ? "once" : `${count.toLocaleString(locale())} times`),
    none: "No mistake has shown a pattern yet.",
  },

  modalities: {
    heading: "Kinds of exercise",
    lead: "How it goes in each, over all concepts.",
    caption: "Average result by kind of exercise",
    columns: ["Kind", "Average"] as [string, string],
    attempts: (count: number) => plural(count, "exercise"),
    best: "Goes best",
    worst: "Hardest for you",
  },
});

export const settingsStrings = words("studySettings", {
  lead: "How you like to study. Everything here can be changed at any time; nothing you have learned is lost by it.",
  loading: "Reading your settings…",
  failed: "Your settings could not be read",
  save: "Save",
  saving: "Saving…",
  saved: "Saved",
  unsaved: "Not saved yet.",
  undo: "Undo changes",
  file: (path: string) => `They are kept in \`${path}\`, which you may also edit yourself.`,

  damaged: {
    title: "Your profile cannot be read, so the usual values stand in for it",
    hint: "Nothing is written to the file until it can be read again. Mend it in an editor, then reload.",
    again: "Read it again",
  },

  session: {
    heading: "Sessions",
    minutes: "Minutes of a session",
    minutesHint: "5 to 240. A session ends at the next good place, a little earlier or later.",
    style: "Explanations begin with",
    examples: "Examples",
    explanation: "The explanation",
    styleHint: "Worked examples help most while something is new.",
  },

  retention: {
    heading: "How much to remember",
    label: "Share to remember when asked",
    value: percent,
    cost: (share: number, times: number, days: number) =>
      `What waits 10 days at 90% waits ${plural(days, "day")} at ${percent(share)}: reviews come ${timesText(times)}.`,
    usual: "This is the usual value: few reviews, and little is forgotten.",
    low: "Much is forgotten and learned again, which costs part of what fewer reviews save.",
    high: "Above 95% nearly all the time goes into what you know already.",
    table: "What other shares cost",
    columns: ["Share", "Reviews compared with 90%"] as [string, string],
    times: (times: number) => `${times >= 10 ? Math.round(times) : times.toFixed(1)}×`,
  },

  days: {
    heading: "Your week",
    easy: "Easy days",
    easyHint: "On an easy day far fewer reviews are planned; the days around it take them.",
    balance: "Spread reviews evenly",
    balanceHint: "Moves a review by a day or so when its day is full.",
    zone: "Time zone",
    zoneHint: "Decides when a day ends. Write it like `Asia/Kuching`.",
    zoneHere: (zone: string) => `Use ${zone}`,
  },

  class: {
    heading: "Your class",
    name: "Class",
    hint: "As your teacher writes it, such as 3B. Your teacher then sees what five or more of the class get wrong, and never who. Empty means no class.",
  },

  exams: {
    heading: "Exams",
    lead: "Before an exam reviews are placed so that you know the most on its day.",
    /** Stands before the name of a course. */
    day: "Day of the exam in ",
    clear: "No exam",
    clearFor: (course: string) => `No exam in ${course}`,
    none: "Courses appear here.",
  },

  kinds: {
    heading: "Kinds of exercise",
    lead: "More often, as it comes, or never. What a concept needs is weighed as well.",
    more: "More",
    neutral: "As it comes",
    never: "Never",
    group: (kind: string) => `How often ${kind}`,
    best: "goes best",
    worst: "hardest for you",
    most: "used most",
  },
});

function timesText(times: number): string {
  if (Math.abs(times - 1) < 0.05) return "as often as usual";
  if (times < 1) return `${(1 / times).toFixed(1)} times less often`;
  return `${times.toFixed(1)} times as often`;
}
