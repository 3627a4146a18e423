/** Answers of a server with a small workspace and one session. */

import "../document/code-editor";
import "../plan-page";

import { FakeServer } from "../../../testing/fake-server";
import { goodServer } from "../../../testing/render-app";
import { useFolds, useSizes } from "../../../ui/panes/sizes";
import type {
  PlanEvidence,
  PlanFile,
  PlanGate,
  PlanLesson,
  PlanOverview,
  PlanRun,
  PlanSession,
  PlanText,
  PlanTranscript,
} from "../../../wire/generated";
import { useLive } from "../cache";
import { useRequest } from "../chat/composer";
import { useFindBox } from "../chat/find-bar";
import { useEdits } from "../chat/request-view";
import { useGateDrafts } from "../gates/interaction";
import { useFileDrafts } from "../hooks";

export const OVERVIEW: PlanOverview = {
  commands: [
    command("create-lesson", "Plan one lesson"),
    command("refine-lesson", "Change a lesson"),
    { ...command("cover-lesson", "A lesson for a colleague"), local: false },
  ],
  classes: [
    { id: "3B", year: "S3", subject: "Computing Science", level: "Third", minutes: 50 },
    { id: "2A", year: "S2", subject: "Astronomy", level: null, minutes: null },
  ],
  problems: [],
  provider: "local",
  local: true,
  waiting: 0,
};

function command(name: string, description: string): PlanOverview["commands"][number] {
  return { name, plugin: "lesson-planning", fullName: `lesson-planning:${name}`, description, local: true };
}

export const SESSION: PlanSession = {
  id: "s1",
  title: "Iteration for 3B",
  command: "lesson-planning:create-lesson",
  classId: "3B",
  state: "ended",
  status: "success",
  startedAt: "2026-03-01T10:00:00Z",
  updatedAt: "2026-03-01T10:05:00Z",
  branchOf: null,
};

export const DRAFT = "# Fixed loops\n\n## Learning outcome\n\nI can use a loop.\n";

export const RUN: PlanRun = {
  id: "r1",
  session: "s1",
  number: 1,
  prompt: "Iteration for 3B",
  state: "ended",
  status: "success",
  reason: null,
  output: null,
  source: "local",
  turns: 1,
  costUsd: null,
  lesson: null,
  createdAt: "2026-03-01T10:00:00Z",
  said: [{ role: "person", text: "Iteration for 3B", tools: [] }],
  writing: null,
  gates: [],
};

export function gate(hook: string, interaction: object, changes: Partial<PlanGate> = {}): PlanGate {
  return {
    run: "r1",
    gate: `pre_loop/1/hook/0/${hook}`,
    revision: 1,
    hook,
    interaction: { ...interaction },
    reply: null,
    openedAt: "2026-03-01T10:01:00Z",
    answeredAt: null,
    ...changes,
  };
}

export const KNOWN = gate("feedforward", {
  kind: "choices",
  title: "What I know about 3B",
  text: "From the class profile:\n- 24 pupils\n- Two speak `Ukrainian`\n\nShall I go on with all of this?",
  options: [
    { id: "confirm", label: "Go on with this", wants_text: false },
    { id: "modify", label: "Go on, with changes", wants_text: true },
    { id: "dismiss", label: "Leave it aside", wants_text: false },
  ],
});

export const JUDGE_OPTIONS = [
  { id: "accept", label: "Accept", wants_text: false },
  { id: "revise", label: "Revise: say what should change", wants_text: true },
  { id: "alternatives", label: "Show alternatives", wants_text: false },
];

export const JUDGING = gate("teacher-adjudication", {
  kind: "sections",
  title: "Judge the draft, section by section",
  text: "Paige noticed:\n- The exit check is long.",
  sections: [
    { id: "outcome", title: "Learning outcome", text: "I can use a loop." },
    { id: "starter", title: "Starter (8 min)", text: "Recall what a loop is." },
  ],
  options: JUDGE_OPTIONS,
});

export const ANSWER = "POST /api/plan/runs/r1/gates/pre_loop/1/hook/0/";

export function transcript(run: Partial<PlanRun>, session: Partial<PlanSession> = {}): PlanTranscript {
  const merged = { ...RUN, ...run };
  return {
    session: { ...SESSION, state: merged.state, status: merged.status, ...session },
    total: 1,
    first: 0,
    runs: [merged],
    branches: {},
  };
}

export function waiting(...gates: PlanGate[]): PlanTranscript {
  return transcript({ state: "waiting", status: null, gates });
}

export const EVIDENCE: PlanEvidence = {
  code: "TCH 3-15a",
  file: "curriculum/cfe-computing.md",
  start: 12,
  end: 12,
  quote: "Choose tools",
  line: 7,
  edition: "2017-03",
  grade: "A",
  valid: true,
  reason: null,
  verified: true,
};

export const LESSON: PlanLesson = {
  path: "lessons/loops.md",
  title: "Fixed loops",
  classId: "3B",
  text:
    "# Fixed loops\n\n- Class: 3B\n- Minutes: 50\n\n## Curriculum\n\n" +
    '- [TCH 3-15a](curriculum/cfe-computing.md#L12-L12) "Choose tools"\n\n## Starter (8 min)\n\nRecall.\n',
  version: "v1",
  source: "local",
  sections: [
    { id: "curriculum", title: "Curriculum", text: "" },
    { id: "starter", title: "Starter (8 min)", text: "Recall." },
  ],
  evidence: [EVIDENCE],
  faults: [],
};

export const FILES: PlanFile[] = [
  file("soul.md", "identity"),
  file("teacher.md", "profile"),
  file("classes/3B.md", "class"),
  file("curriculum/cfe-computing.md", "curriculum"),
  { ...file("curriculum/originals/course.pdf", "curriculum"), text: false },
  file("lessons/loops.md", "lesson"),
  file("units/loops.md", "lesson"),
];

function file(path: string, kind: PlanFile["kind"]): PlanFile {
  return { path, kind, size: 10, version: "v1", text: true };
}

export const CLASS_FILE: PlanText = {
  path: "classes/3B.md",
  kind: "class",
  text: "# 3B\n\nReads well.\n",
  version: "v1",
  problems: [{ path: "classes/3B.md", line: 3, message: "`size` is missing" }],
};

export const CLASS_ADDRESS = "/api/plan/file?path=classes%2F3B.md";
export const LESSON_ADDRESS = "/api/plan/lesson?path=lessons%2Floops.md";

export function planningServer(): FakeServer {
  return goodServer()
    .answer("GET /api/plan", OVERVIEW)
    .answer("GET /api/plan/files", FILES)
    .answer("GET /api/plan/lessons", [{ path: LESSON.path, title: LESSON.title, classId: "3B", date: "2026-03-01" }])
    .answer("GET /api/plan/proposals", [])
    .answer("GET /api/plan/classes/3B/misconceptions", { classId: "3B", fewest: 5, misconceptions: [] })
    .answer("GET /api/plan/sessions?limit=7", { sessions: [SESSION] })
    .answer("GET /api/memory/files", [])
    .answer(`GET ${LESSON_ADDRESS}`, LESSON)
    .answer(`GET ${CLASS_ADDRESS}`, CLASS_FILE);
}

export function sessionServer(said: PlanTranscript): FakeServer {
  return planningServer().answer("GET /api/plan/sessions/s1", said);
}

// What tests of the Plan page need around them: its parts fetched, a window of some size, no leftovers. */  // Fetched
// before a test begins: while one runs, that would take longer than it waits for anything.

/** Leaves nothing of one test for the next. */
export function cleanUp(): void {
  useRequest.setState(useRequest.getInitialState());
  useEdits.setState(useEdits.getInitialState());
  useFindBox.setState(useFindBox.getInitialState());
  useFileDrafts.setState(useFileDrafts.getInitialState());
  useGateDrafts.setState(useGateDrafts.getInitialState());
  useFolds.setState(useFolds.getInitialState());
  useSizes.setState(useSizes.getInitialState());
  useLive.setState(useLive.getInitialState());
  sessionStorage.clear();
}

export function setWidth(width: number): void {
  const { happyDOM } = window as unknown as { happyDOM: { setViewport: (size: object) => void } };
  happyDOM.setViewport({ width, height: 900 });
}

/** A window with room for all parts. */
export function makeWide(): void {
  setWidth(1440);
}
