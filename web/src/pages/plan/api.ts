/** What the app asks the Plan door. */

import type {
  ClassMisconceptions,
  PlanAnswer,
  PlanAsk,
  PlanDecide,
  PlanFile,
  PlanGate,
  PlanLesson,
  PlanLessonItem,
  PlanLines,
  PlanOverview,
  PlanProposal,
  PlanSessions,
  PlanStarted,
  PlanText,
  PlanTranscript,
  PlanWrite,
} from "../../wire/generated";
import { type Download, download, type HttpPorts, request } from "../../wire/http";

/** What goes into the body of a request; the rest of it is in the address. */
export type GateAnswer = Omit<PlanAnswer, "run" | "gate">;
export type FileWrite = Omit<PlanWrite, "path">;
export type Decision = Omit<PlanDecide, "key">;

export const EXPORTS = ["docx", "pdf", "md", "slides", "worksheet", "qti", "ics"] as const;
export type ExportFormat = (typeof EXPORTS)[number];

export interface SessionsQuestion {
  query: string;
  limit: number;
}

interface RunsQuestion {
  from: number;
  limit: number;
}

export interface LinesQuestion {
  path: string;
  start: number;
  end: number;
}

export interface PlanApi {
  overview(): Promise<PlanOverview>;
  classErrors(classId: string): Promise<ClassMisconceptions>;
  files(): Promise<PlanFile[]>;
  readFile(path: string): Promise<PlanText>;
  writeFile(path: string, write: FileWrite): Promise<PlanText>;
  deleteFile(path: string, version: string): Promise<unknown>;
  sessions(question: SessionsQuestion): Promise<PlanSessions>;
  /** The last runs of a session; or a page of them, from a place on. */
  transcript(session: string, page?: RunsQuestion): Promise<PlanTranscript>;
  /** Asks something else where a run began; null asks the same again. */
  branch(run: string, input: string | null): Promise<PlanStarted>;
  ask(ask: PlanAsk): Promise<PlanStarted>;
  answer(run: string, gate: string, answer: GateAnswer): Promise<PlanGate>;
  goOn(run: string): Promise<PlanStarted>;
  stop(run: string): Promise<PlanStarted>;
  lessons(): Promise<PlanLessonItem[]>;
  lesson(path: string): Promise<PlanLesson>;
  lines(question: LinesQuestion): Promise<PlanLines>;
  download(path: string, to: ExportFormat): Promise<Download>;
  proposals(): Promise<PlanProposal[]>;
  decide(key: string, decide: Decision): Promise<unknown>;
}

export function createPlanApi(ports: HttpPorts): PlanApi {
  return {
    overview: () => request(ports, "GET", "/api/plan"),
    classErrors: (classId) => request(ports, "GET", `/api/plan/classes/${encodeURIComponent(classId)}/misconceptions`),
    files: () => request(ports, "GET", "/api/plan/files"),
    readFile: (path) => request(ports, "GET", filePath(path)),
    writeFile: (path, write) => request(ports, "PUT", filePath(path), write),
    deleteFile: (path, version) => request(ports, "DELETE", `/api/plan/file?${params({ path, version })}`),
    sessions: ({ query, limit }) => request(ports, "GET", `/api/plan/sessions?${params({ query, limit })}`),
    transcript: (session, page) => request(ports, "GET", sessionPath(session, page)),
    branch: (run, input) => request(ports, "POST", `${runPath(run)}/branch`, { input }),
    ask: (ask) => request(ports, "POST", "/api/plan/runs", ask),
    answer: (run, gate, answer) => request(ports, "POST", `${runPath(run)}/gates/${segments(gate)}`, answer),
    goOn: (run) => request(ports, "POST", `${runPath(run)}/continue`),
    stop: (run) => request(ports, "POST", `${runPath(run)}/stop`),
    lessons: () => request(ports, "GET", "/api/plan/lessons"),
    lesson: (path) => request(ports, "GET", `/api/plan/lesson?${params({ path })}`),
    lines: ({ path, start, end }) => request(ports, "GET", `/api/plan/lines?${params({ path, start, end })}`),
    download: (path, to) => download(ports, exportAddress(path, to)),
    proposals: () => request(ports, "GET", "/api/plan/proposals"),
    decide: (key, decide) => request(ports, "POST", `/api/plan/proposals/${encodeURIComponent(key)}`, decide),
  };
}

/** Where the server gives a lesson out in another form; also an address to keep or to share. */
export function exportAddress(path: string, to: ExportFormat): string {
  return `/api/plan/export?${params({ path, to })}`;
}

/** The parts of a query that say something. */
function params(given: Record<string, string | number>): string {
  const said = Object.entries(given).flatMap(([name, value]) => (value === "" ? [] : [[name, String(value)]]));
  return new URLSearchParams(said).toString();
}

function filePath(path: string): string {
  return `/api/plan/file?${params({ path })}`;
}

function sessionPath(session: string, page: RunsQuestion | undefined): string {
  const path = `/api/plan/sessions/${encodeURIComponent(session)}`;
  return page === undefined ? path : `${path}?${params({ ...page })}`;
}

function runPath(run: string): string {
  return `/api/plan/runs/${encodeURIComponent(run)}`;
}

function segments(path: string): string {
  return path.split("/").map(encodeURIComponent).join("/");
}
