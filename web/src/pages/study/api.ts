/** What the app asks the Study door. Without a learner it is about the one who sits here. */

import { strings } from "../../strings";
import type {
  FileWrite,
  NewCourse,
  StudyAct,
  StudyCourse,
  StudyFile,
  StudyImported,
  StudyProfile,
  StudyProfileChange,
  StudyReport,
  StudyRun,
  StudyStart,
  StudyStep,
  StudyStopped,
  StudyToday,
  StudyUndone,
  UndoRequest,
} from "../../wire/generated";
import { ApiError, type Download, download, type HttpPorts, readErrorBody, request } from "../../wire/http";

export const STUDY_EXPORTS = ["anki", "csv", "xapi"] as const;
export type StudyExport = (typeof STUDY_EXPORTS)[number];

export type StudyImport = "anki" | "csv" | "exercism";

export interface ImportWish {
  kind: StudyImport;
  /** The name of the course; without one the file gives it. */
  name: string;
  file: File;
}

interface UploadWish {
  course: string;
  step: number;
  name: string;
  file: Blob;
}

export interface StudyApi {
  today(): Promise<StudyToday>;
  course(name: string): Promise<StudyCourse>;
  makeCourse(wish: NewCourse): Promise<StudyCourse>;
  importCourse(wish: ImportWish): Promise<StudyImported>;
  exportCourse(course: string, to: StudyExport): Promise<Download>;
  start(wish: StudyStart): Promise<StudyStep>;
  session(course: string): Promise<StudyStep>;
  act(what: StudyAct): Promise<StudyStep>;
  upload(wish: UploadWish): Promise<StudyStep>;
  readFile(course: string, path: string): Promise<StudyFile>;
  writeFile(course: string, path: string, write: Pick<FileWrite, "text" | "version">): Promise<StudyFile>;
  run(course: string): Promise<StudyRun>;
  stopRun(): Promise<StudyStopped>;
  progress(course: string): Promise<StudyReport>;
  profile(): Promise<StudyProfile>;
  writeProfile(change: StudyProfileChange): Promise<StudyProfile>;
  undo(course: string, change: string): Promise<StudyUndone>;
}

export function createStudyApi(ports: HttpPorts): StudyApi {
  return {
    today: () => request(ports, "GET", "/api/study"),
    course: (name) => request(ports, "GET", `/api/study/courses/${encodeURIComponent(name)}`),
    makeCourse: (wish) => request(ports, "POST", "/api/study/courses", wish),
    importCourse: ({ kind, name, file }) =>
      sendPatiently(ports, `/api/study/import?${params({ kind, name, file: file.name })}`, file),
    exportCourse: (course, to) => download(ports, `/api/study/export?${params({ course, to })}`),
    start: (wish) => sendPatiently(ports, "/api/study/sessions", wish),
    session: (course) => request(ports, "GET", `/api/study/session?${params({ course })}`),
    act: (what) => sendPatiently(ports, "/api/study/session/act", what),
    upload: ({ course, step, name, file }) =>
      sendPatiently(ports, `/api/study/session/upload?${params({ course, step, name })}`, file),
    readFile: (course, path) => request(ports, "GET", filePath(course, path)),
    writeFile: (course, path, write) => request(ports, "PUT", filePath(course, path), write),
    run: (course) => sendPatiently(ports, "/api/study/session/run", { course }),
    stopRun: () => request(ports, "POST", "/api/study/session/run/stop"),
    progress: (course) => request(ports, "GET", `/api/study/progress?${params({ course })}`),
    profile: () => request(ports, "GET", "/api/study/profile"),
    writeProfile: (change) => request(ports, "PUT", "/api/study/profile", change),
    undo: (course, change) => request(ports, "POST", "/api/study/undo", { course, change } satisfies UndoRequest),
  };
}

/** Where the recording of a question is. */
export function audioAddress(course: string, question: string): string {
  return `/api/study/session/audio?${params({ course, question })}`;
}

/** Where a photo or a recording is that was uploaded for the open exercise. */
export function uploadAddress(course: string, path: string): string {
  return `/api/study/session/upload?${params({ course, path })}`;
}

function params(given: Record<string, string | number>): string {
  return new URLSearchParams(Object.entries(given).map(([name, value]) => [name, String(value)])).toString();
}

function filePath(course: string, path: string): string {
  return `/api/study/session/file?${params({ course, path })}`;
}

// Requests of the Study door that take longer than others, or carry a file instead of JSON.

/** A model may read a whole essay, and a sandbox may run many tests, before there is an answer. */
const PATIENCE_MS = 180_000;

/**
 * Sends and waits for as long as judging may take. A `Blob` goes as it is, anything else as JSON.
 *
 * @throws ApiError when there is no answer, or it is not a success.
 */
async function sendPatiently<T>(ports: HttpPorts, path: string, body: object): Promise<T> {
  const isFile = body instanceof Blob;
  const csrf = ports.csrf();
  const headers = {
    Accept: "application/json",
    "Content-Type": isFile ? body.type || "application/octet-stream" : "application/json",
    ...(csrf !== null && { "X-Paige-CSRF": csrf }),
  };
  const options: RequestInit = {
    method: "POST",
    headers,
    body: isFile ? body : JSON.stringify(body),
    signal: AbortSignal.timeout(PATIENCE_MS),
  };
  const response = await ports.fetch(path, options).catch(() => {
    throw new ApiError(strings.errors.unreachable, strings.errors.unreachableHint, null);
  });
  const answer: unknown = await response.json().catch(() => undefined);
  if (response.ok && answer !== undefined) return answer as T;
  const failure = response.ok ? null : readErrorBody(answer);
  if (failure !== null) throw new ApiError(failure.message, failure.hint, response.status);
  throw new ApiError(strings.errors.unreadable(response.status), strings.errors.unreadableHint, response.status);
}
