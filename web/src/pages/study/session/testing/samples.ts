/** Steps of a session as the server tells them. */

import { goodServer } from "../../../../testing/render-app";
import type { FakeServer } from "../../../../testing/fake-server";
import type { StudyExercise, StudyItem, StudyQuestion, StudyResult, StudyStep } from "../../../../wire/generated";

export const ITEM: StudyItem = {
  number: 1,
  of: 3,
  type: "new",
  concept: "greetings",
  title: "Greetings",
  bloom: "remember",
  minutes: 8,
  reason: "Everything it builds on is known",
  opening: false,
};

export function question(more: Partial<StudyQuestion> = {}): StudyQuestion {
  return { id: "1", prompt: "What does “tolong” mean?", kind: "translate", choices: [], parts: [], context: null, starter: null, audio: null, ...more };
}

export function exercise(more: Partial<StudyExercise> = {}): StudyExercise {
  const questions = more.questions ?? [question()];
  return {
    id: "e1",
    modality: "conversation",
    why: ["Conversation suits best"],
    offer: null,
    instead: [],
    title: "Greetings",
    body: questions[0]?.prompt ?? "",
    answeredBy: "text",
    asking: questions[0]?.id ?? null,
    number: 1,
    count: 2,
    questions,
    minutes: 2,
    file: null,
    open: [],
    run: null,
    pauses: false,
    optional: false,
    howToContinue: "Try it first: after your first attempt you can ask for a hint.",
    language: "ms",
    minWords: 0,
    points: [],
    rubric: [],
    criteria: [],
    partner: null,
    attempts: 0,
    hintsUsed: 0,
    uploads: [],
    ...more,
  };
}

export function result(more: Partial<StudyResult> = {}): StudyResult {
  return {
    exerciseId: "e1",
    conceptId: "greetings",
    modality: "conversation",
    score: { correct: 1, total: 2, percentage: 0.5 },
    fsrsRating: 2,
    message: "1 of 2 right.",
    errors: [],
    strengths: [],
    improvements: [],
    answers: [],
    tests: [],
    hintsUsed: 0,
    answerShown: false,
    gradable: true,
    remarks: [],
    source: "local",
    ...more,
  };
}

export function step(more: Partial<StudyStep> = {}): StudyStep {
  return {
    session: "s1",
    course: "malay",
    courseTitle: "Malay",
    kind: "study",
    step: 1,
    stage: "exercise",
    expects: "text",
    resumed: false,
    says: [],
    advice: null,
    minutes: 25,
    minutesLeft: 24.6,
    item: ITEM,
    lesson: null,
    question: null,
    exercise: exercise(),
    result: null,
    summary: null,
    next: null,
    concepts: { greetings: "Greetings" },
    root: "/home/me/teaching",
    problems: [],
    ...more,
  };
}

export const ACT = "POST /api/study/session/act";
export const LOOK = "GET /api/study/session?course=malay";

export function studyServer(first: StudyStep): FakeServer {
  return goodServer().answer(LOOK, first);
}
