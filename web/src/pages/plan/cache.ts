/** What this window knows of plans, and what becomes of it when something changes elsewhere. */

import type { QueryClient, QueryKey } from "@tanstack/react-query";
import { create } from "zustand";

import type {
  PlanDelta,
  PlanFileChanged,
  PlanGate,
  PlanRun,
  PlanRunChanged,
  PlanSessions,
  PlanStep,
  PlanTranscript,
  PlanWriting,
} from "../../wire/generated";
import type { SessionsQuestion } from "./api";

/** Everything read from the Plan door is kept below this key. */
export const PLAN_KEY = ["plan"] as const;
export const OVERVIEW_KEY = [...PLAN_KEY, "overview"] as const;
export const SESSIONS_KEY = [...PLAN_KEY, "sessions"] as const;
export const PROPOSALS_KEY = [...PLAN_KEY, "proposals"] as const;

const TRANSCRIPTS_KEY = [...PLAN_KEY, "transcript"] as const;

export function transcriptKey(session: string): QueryKey {
  return [...TRANSCRIPTS_KEY, session];
}

/** A page of earlier runs. They have ended: what was read once stays right. */
export function runsKey(session: string, from: number): QueryKey {
  return [...PLAN_KEY, "runs", session, from];
}

export function fileKey(path: string): QueryKey {
  return [...PLAN_KEY, "file", path];
}

export function lessonKey(path: string): QueryKey {
  return [...PLAN_KEY, "lesson", path];
}

/** What is to be asked again soon; several news of one moment are one reason. */
let matches: ((key: QueryKey) => boolean)[] = [];
const REST_MS = 200;

function askSoon(queries: QueryClient, match: (key: QueryKey) => boolean): void {
  matches.push(match);
  if (matches.length > 1) return;
  setTimeout(() => {
    const wanted = matches;
    matches = [];
    const predicate = ({ queryKey }: { queryKey: QueryKey }): boolean => wanted.some((matching) => matching(queryKey));
    // To the cache, news that come during the very first question count as answered by it.
    for (const query of queries.getQueryCache().findAll({ predicate, fetchStatus: "fetching" })) {
      if (query.state.data === undefined) void query.cancel({ silent: true });
    }
    void queries.invalidateQueries({ predicate });
  }, REST_MS);
}

/** Something was done in the session that is open, or should have been: it is read again. */
export function takeInDeed(queries: QueryClient): void {
  askSoon(queries, ([door, kind]) => door === "plan" && kind === "transcript");
}

/** A run stands somewhere else now. It may be a branch of any session: the one that is open is read again. */
export function takeInRun(queries: QueryClient, run: PlanRunChanged["payload"], at: number): void {
  const isListed = list(queries, run, at);
  const known = queries.getQueryData<PlanTranscript>(transcriptKey(run.session))?.runs.find(({ id }) => id === run.run);
  const isOver = run.state === "ended" || run.state === "interrupted";
  const isNews = run.state !== "running" || known?.state !== "running";
  askSoon(queries, ([door, kind]) => {
    if (door === "memory") return isOver && kind === "files"; // It may have had something remembered.
    if (door !== "plan") return false;
    if (kind === "transcript") return isNews;
    return (kind === "sessions" && !isListed) || (kind === "proposals" && run.state !== "running");
  });
}

/** Lists show at once where a session stands; false when it is new to them. */
function list(queries: QueryClient, { session, state, status }: PlanRunChanged["payload"], at: number): boolean {
  const updatedAt = new Date(at).toISOString();
  let isListed = false;
  for (const [key, found] of queries.getQueriesData<PlanSessions>({ queryKey: SESSIONS_KEY })) {
    const known = found?.sessions.find(({ id }) => id === session);
    if (found === undefined || known === undefined) continue;
    isListed = true;
    const now = { ...known, state, status, updatedAt };
    const isSearch = (key.at(-1) as SessionsQuestion).query !== "";
    const sessions = isSearch
      ? found.sessions.map((each) => (each === known ? now : each))
      : [now, ...found.sessions.filter((each) => each !== known)];
    queries.setQueryData<PlanSessions>(key, { sessions });
  }
  return isListed;
}

/** An answer was given here: its question is closed, and the run goes on. */
export function takeInAnswer(queries: QueryClient, gate: PlanGate): void {
  queries.setQueriesData<PlanTranscript>({ queryKey: TRANSCRIPTS_KEY }, (known) =>
    known?.runs.some(({ id }) => id === gate.run) !== true
      ? known
      : { ...known, runs: known.runs.map((run) => (run.id === gate.run ? answered(run, gate) : run)) },
  );
}

function answered(run: PlanRun, gate: PlanGate): PlanRun {
  const gates = run.gates.map((each) => (each.gate === gate.gate && each.revision === gate.revision ? gate : each));
  return { ...run, gates, state: run.state === "waiting" ? "running" : run.state };
}

/** A file was written or removed: what is made from it is asked for again. */
export function takeInFile(queries: QueryClient, { path, action }: PlanFileChanged["payload"]): void {
  // What is gone is not asked for again: nobody could answer.
  const gone = action === "deleted" ? path : null;
  if (gone !== null) takeInDeleted(queries, gone);
  const isLesson = /^(lessons|units|worksheets)\//.test(path);
  askSoon(queries, ([door, kind, name]) => {
    if (door !== "plan" || isOfSession(kind)) return false;
    if (kind === "overview") return !isLesson;
    if (kind === "lessons") return isLesson;
    if (kind === "file" && isLesson && name !== path) return false;
    return !((kind === "file" || kind === "lesson") && name === gone);
  });
}

export function takeInDeleted(queries: QueryClient, path: string): void {
  for (const queryKey of [fileKey(path), lessonKey(path)]) {
    queries.setQueryData(queryKey, (known) => (known === undefined ? undefined : null));
  }
}

function isOfSession(kind: unknown): boolean {
  return kind === "transcript" || kind === "runs" || kind === "sessions" || kind === "proposals";
}

// What runs do at this moment, as passing messages tell: words while they are written, tools.  Nothing of it is kept.
// What the server says about a session replaces it; words that were missed are asked for again.

type Delta = PlanDelta["payload"];
type Step = PlanStep["payload"];

interface LiveStore {
  writings: Readonly<Record<string, PlanWriting>>;
  /** The tool that each run uses now. */
  tools: Readonly<Record<string, string>>;
  /** Returns whether the words fit to those before; if not, some were missed. */
  takeDelta: (delta: Delta) => boolean;
  takeStep: (step: Step) => void;
  takeTranscript: (transcript: PlanTranscript) => void;
}

export const useLive = create<LiveStore>()((set, get) => ({
  writings: {},
  tools: {},
  takeDelta: (delta) => {
    const next = joined(get().writings[delta.run] ?? null, delta);
    if (next === null) return false;
    set(({ writings }) => ({ writings: { ...writings, [delta.run]: next } }));
    return true;
  },
  takeStep: ({ run, name, state }) => {
    set(({ tools }) => ({ tools: state === "started" ? { ...tools, [run]: name } : without(tools, run) }));
  },
  takeTranscript: ({ runs }) => {
    set(({ writings, tools }) => {
      let nextWritings = writings;
      let nextTools = tools;
      for (const { id, writing, state } of runs) {
        const kept = newer(writing, writings[id] ?? null);
        nextWritings = kept === null ? without(nextWritings, id) : { ...nextWritings, [id]: kept };
        if (state !== "running") nextTools = without(nextTools, id);
      }
      return { writings: nextWritings, tools: nextTools };
    });
  },
}));

/** The text with the next words; null when words between them are missing. */
export function joined(before: PlanWriting | null, { step, attempt, start, text }: Delta): PlanWriting | null {
  const known = before !== null && before.step === step && before.attempt === attempt ? before.text : "";
  if (start > known.length) return null;
  return { step, attempt, text: known.slice(0, start) + text };
}

/** What was asked for counts, unless messages about the same words have come further already. */
function newer(asked: PlanWriting | null, told: PlanWriting | null): PlanWriting | null {
  if (asked === null || told === null) return asked;
  const isSame = asked.step === told.step && asked.attempt === told.attempt;
  return isSame && told.text.length > asked.text.length ? told : asked;
}

function without<T>(values: Readonly<Record<string, T>>, name: string): Readonly<Record<string, T>> {
  if (!(name in values)) return values;
  return Object.fromEntries(Object.entries(values).filter(([other]) => other !== name));
}
