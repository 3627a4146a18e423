/**
 * What runs do at this moment, as passing messages tell: words while they are written, tools.
 *
 * Nothing of it is kept. What the server says about a session replaces it; words that were missed
 * are asked for again.
 */

import { create } from "zustand";

import type { PlanDelta, PlanStep, PlanTranscript, PlanWriting } from "../../wire/generated";

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
