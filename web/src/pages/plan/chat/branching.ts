/** Ways between branches: where one lands, which branch one saw last, and changed requests that are not sent yet. */

import { create } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

import type { PlanPlace, PlanRun } from "../../../wire/generated";

/** In which session somebody looked at a run last: what follows it may have branches too. */
const seenIn = new Map<string, string>();

export function noteSeen(session: string, runs: readonly (PlanRun | null)[]): void {
  for (const run of runs) if (run !== null) seenIn.set(run.id, session);
}

/** The session that shows a branch as it was left. */
export function sessionOf({ session, run }: PlanPlace): string {
  return seenIn.get(run) ?? session;
}

/** Where one was when one chose another branch. What comes before is the same in both: so is the row. */
export interface Landing {
  session: string;
  row: number;
  offset: number;
  way: Way;
}

export type Way = "previous" | "next";

let landing: Landing | null = null;

export function landAt(place: Landing): void {
  landing = place;
}

export function takeLanding(session: string): Landing | null {
  const taken = landing?.session === session ? landing : null;
  landing = null;
  return taken;
}

interface EditsStore {
  /** The words so far, for each run whose request is being changed. */
  edits: Readonly<Record<string, string>>;
  change: (run: string, words: string) => void;
  drop: (run: string) => void;
}

/** They outlive a look elsewhere, and a reload. */
export const useEdits = create<EditsStore>()(
  persist(
    (set) => ({
      edits: {},
      change: (run, words) => {
        set(({ edits }) => ({ edits: { ...edits, [run]: words } }));
      },
      drop: (run) => {
        set(({ edits }) => ({ edits: Object.fromEntries(Object.entries(edits).filter(([id]) => id !== run)) }));
      },
    }),
    { name: "paige-plan-edits", storage: createJSONStorage(() => sessionStorage) },
  ),
);
