/** The session in this window: its issue, its phases, what Paige said, and how it ended. */

import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

import type {
  Anchor,
  CoachingPhaseUpdate,
  CoachingPlanReady,
  IssueContext,
  ObserverNudge,
  PhaseInfo,
  SessionCompleted,
  SessionSummary,
} from "../../../wire/generated";
import { useFiles } from "./files";
import { useDashboard, useKata, useQuestions, useTerminal } from "./stores";

export interface Said {
  id: number;
  text: string;
  type: string;
  anchor: Anchor | null;
}

export type Nudge = ObserverNudge["payload"];
export type Learnt = SessionCompleted["payload"];

export interface Ended {
  summary: SessionSummary;
  /** When the session began, if this window knows. */
  began: string | null;
  /** What was learnt; null while it is looked for. */
  learnt: Learnt | null;
}

interface SessionStore {
  /** Null until the server was asked, or without a session. */
  id: string | null;
  startedAt: string | null;
  issue: IssueContext | null;
  phases: readonly PhaseInfo[];
  memoryConnection: string | null;
  difficulty: string | null;
  observer: { active: boolean; muted: boolean };
  said: readonly Said[];
  nudge: Nudge | null;
  /** The session is being ended, which may take a while. */
  isEnding: boolean;
  ended: Ended | null;
  begin: (session: { id: string; issue: IssueContext | null; phases: readonly PhaseInfo[]; startedAt?: string | null }) => void;
  leave: () => void;
  takePlan: (plan: CoachingPlanReady["payload"]) => void;
  takePhase: (update: CoachingPhaseUpdate["payload"]) => void;
  say: (text: string, type: string, anchor: Anchor | null) => void;
  dismiss: (id: number) => void;
  takeEnd: (summary: SessionSummary) => void;
  takeLearnt: (learnt: Learnt) => void;
}

/** Older messages make room. */
const MOST_SAID = 50;

const NOBODY = {
  id: null,
  startedAt: null,
  issue: null,
  phases: [],
  memoryConnection: null,
  difficulty: null,
  said: [],
  nudge: null,
  isEnding: false,
};

export const useCoachSession = create<SessionStore>()(
  persist(
    (set, get) => ({
      ...NOBODY,
      observer: { active: false, muted: false },
      ended: null,
      begin: ({ id, issue, phases, startedAt = null }) => {
        // The same session again: what was said in it stays.
        const isSame = get().id === id;
        set({ ...(isSame ? {} : NOBODY), id, issue, phases, ...(isSame && startedAt === null ? {} : { startedAt }) });
      },
      leave: () => {
        set(NOBODY);
      },
      takePlan: ({ phases, memoryConnection, estimatedDifficulty }) => {
        set({ phases, memoryConnection, difficulty: estimatedDifficulty });
      },
      takePhase: ({ phase, status, title, description, hintLevel }) => {
        set(({ phases }) => ({
          phases: phases.map((known) =>
            known.number === phase ? { ...known, status, title, description, hintLevel } : known,
          ),
        }));
      },
      say: (text, type, anchor) => {
        set(({ said }) => {
          const id = (said.at(-1)?.id ?? 0) + 1;
          return { said: [...said, { id, text, type, anchor }].slice(-MOST_SAID) };
        });
      },
      dismiss: (id) => {
        set(({ said }) => ({ said: said.filter((each) => each.id !== id) }));
      },
      takeEnd: (summary) => {
        set(({ id, startedAt }) => {
          const ended = summary.status === "completed" ? { ended: { summary, began: startedAt, learnt: null } } : {};
          return id === summary.sessionId || id === null ? { ...NOBODY, ...ended } : ended;
        });
      },
      takeLearnt: (learnt) => {
        set(({ ended }) => (ended?.summary.sessionId === learnt.sessionId ? { ended: { ...ended, learnt } } : {}));
      },
    }),
    {
      name: "paige-coach-session",
      storage: createJSONStorage(() => sessionStorage),
      // Messages are not sent again to a window that is opened anew.
      partialize: ({ id, said, ended }) => ({ id, said, ended }),
    },
  ),
);

export function activePhase(phases: readonly PhaseInfo[]): PhaseInfo | null {
  return phases.find(({ status }) => status === "active") ?? phases.find(({ status }) => status === "pending") ?? null;
}

// Frames that are answered: their ids, and what becomes of one that is refused.

export const ids = {
  open: (path: string) => `open ${path}`,
  save: (path: string) => `save ${path}`,
  explain: "explain",
  review: "review",
  dashboard: "dashboard",
  end: "end",
  terminal: "terminal",
  kata: (kata: string) => `kata ${kata}`,
  submit: (kata: string) => `submit ${kata}`,
};

const lines = new Map<string, number>();

/** Remembers the line to go to once a file is there. */
export function wantLine(path: string, line: number | null): void {
  if (line === null) lines.delete(path);
  else lines.set(path, line);
}

export function wantedLine(path: string): number | null {
  const line = lines.get(path) ?? null;
  lines.delete(path);
  return line;
}

/** A question was refused: whoever asked says so. */
export function takeRefusal(id: string, message: string, context: Record<string, unknown> | null): void {
  const hint = typeof context?.hint === "string" ? context.hint : null;
  const failed = { state: "failed", message, hint } as const;
  const [kind = "", ...rest] = id.split(" ");
  const about = rest.join(" ");
  switch (kind) {
    case "open":
      useFiles.getState().fail(about, message, hint);
      return;
    case "save":
      useFiles.getState().changeFile(about, { saving: null, error: hint === null ? message : `${message}. ${hint}` });
      return;
    case ids.explain:
      useQuestions.setState({ explanation: failed });
      return;
    case ids.review:
      useQuestions.setState({ review: failed });
      return;
    case ids.dashboard:
      useDashboard.setState({ failed: { message, hint }, issues: failed, materials: failed });
      return;
    case ids.end:
      useCoachSession.setState({ isEnding: false });
      return;
    case ids.terminal:
      useTerminal.setState({ refused: { message, hint } });
      return;
    case "kata":
      useKata.setState({ loaded: failed });
      return;
    case "submit":
      useKata.setState({ submitted: failed });
      return;
    default:
  }
}
