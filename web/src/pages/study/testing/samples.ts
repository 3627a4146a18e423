/** Answers of a server that somebody has studied with. For tests. */

import { addDays } from "../../../ui/plots/calendar-plot";
import { range } from "../../../ui/plots/scales";
import type { StudyConcept, StudyCourse, StudyCourseSummary, StudyProfile, StudyReport, StudyToday } from "../../../wire/generated";

export const TODAY = "2026-05-06";

const CONCEPT: StudyConcept = {
  id: "greetings",
  title: "Greetings",
  unit: "First words",
  type: "vocabulary",
  bloom: "apply",
  reached: "understand",
  description: "Greet people at any time of day.",
  prerequisites: [],
  confusedWith: [],
  status: "mastered",
  mastery: 0.97,
  recall: 0.95,
  due: "2036-05-09T10:00:00Z",
  ready: false,
  attempts: 4,
  items: 18,
  layer: 0,
};

export const CONCEPTS: StudyConcept[] = [
  CONCEPT,
  { ...CONCEPT, id: "numbers", title: "Numbers", prerequisites: ["greetings"], status: "review", mastery: 0.8, recall: 0.7, due: "2026-05-01T10:00:00Z", layer: 1 },
  { ...CONCEPT, id: "food", title: "Food and drink", unit: "Around you", prerequisites: ["numbers"], status: "new", mastery: 0, recall: null, due: null, ready: true, attempts: 0, layer: 2 },
  { ...CONCEPT, id: "time", title: "Days and time", unit: "Around you", prerequisites: ["food"], status: "new", mastery: 0, recall: null, due: null, attempts: 0, layer: 3 },
];

export const COURSE: StudyCourse = {
  name: "malay",
  title: "Malay",
  description: "From the first word to small texts.",
  domain: "language",
  shipped: false,
  begun: true,
  folder: "/home/me/teaching/courses/malay",
  minutes: 25,
  sourceLanguage: "en",
  targetLanguage: "ms",
  codeLanguage: "python",
  weights: {},
  units: ["First words", "Around you"],
  vocabulary: 12,
  items: 80,
  due: 1,
  exam: addDays(TODAY, 10),
  concepts: CONCEPTS,
  openSession: null,
  problems: [{ file: "courses/malay/concepts.json", line: 12, message: "`needs` names `gone`", fix: "Take it out." }],
};

export const SUMMARY: StudyCourseSummary = {
  name: "malay",
  title: "Malay",
  description: COURSE.description,
  domain: "language",
  concepts: 4,
  items: 80,
  vocabulary: 12,
  shipped: false,
  begun: true,
  due: 1,
  ready: 1,
  mastered: 1,
  minutes: 25,
  exam: null,
  openSession: null,
  problems: [],
};

export const STUDY_TODAY: StudyToday = {
  today: TODAY,
  courses: [SUMMARY, { ...SUMMARY, name: "memory", title: "Memory", begun: false, shipped: true, due: 0, mastered: 0 }],
  due: 1,
  streak: 2,
  days: [],
  templates: [
    { name: "conceptual", title: "Ideas", description: "Explanations and questions." },
    { name: "language", title: "A language", description: "Words both ways." },
  ],
  provider: "local",
  local: true,
  speaks: false,
  hears: false,
  folder: "/home/me/teaching",
  problems: [],
};

export const REPORT: StudyReport = {
  begun: true,
  course: "malay",
  title: "Malay",
  today: TODAY,
  concepts: CONCEPTS.map(({ id, title, unit, status, mastery, recall, due, prerequisites, ready, attempts }) => ({
    id, title, unit, status, mastery, recall, due, prerequisites, ready, attempts,
    bloom: "understand", target: "apply", successes: 2,
  })),
  counts: { new: 2, learning: 0, review: 1, mastered: 1, relearning: 0 },
  due: ["numbers"],
  nextNew: ["food"],
  retention: { planned: 0.9, measured: 0.875, unaided: 0.8, reviews: 8, now: 0.83 },
  recall: range(0, 30).map((number) => ({ day: addDays(TODAY, number), share: 0.95 - number * 0.01 })),
  forecast: range(0, 29).map((number) => ({ day: addDays(TODAY, number), due: number % 3, expected: number % 3 })),
  calendar: [
    { day: addDays(TODAY, -2), exercises: 6, minutes: 20.4 },
    { day: TODAY, exercises: 2, minutes: 5.2 },
  ],
  modalities: [
    { modality: "conversation", attempts: 9, average: 0.9 },
    { modality: "worksheet", attempts: 4, average: 0.6 },
    { modality: "flashcard", attempts: 1, average: 1 },
  ],
  errors: [
    { type: "spelling", count: 3, says: null, practise: null },
    { type: "word_order", count: 1, says: null, practise: null },
  ],
  problems: [],
};

export const PROFILE: StudyProfile = {
  classId: "",
  learner: null,
  file: "/home/me/teaching/learner/profile.json",
  sessionMinutes: 25,
  explanationStyle: "examples_first",
  preferred: ["flashcard"],
  avoided: [],
  goesBest: "conversation",
  goesWorst: null,
  usedMost: "conversation",
  retention: 0.9,
  easyDays: [1, 1, 1, 1, 1, 0.2, 0.2],
  balance: false,
  zone: "UTC",
  courses: [{ name: "malay", title: "Malay", exam: null }],
  problems: [],
};
