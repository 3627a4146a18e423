/** One session in this window: the step it is at, doing something, and what was said about the last answer. */

import { replaceEqualDeep, useMutation, useQuery, useQueryClient, type UseQueryResult } from "@tanstack/react-query";
import { useEffect, useRef, useState } from "react";
import { create } from "zustand";
import { persist } from "zustand/middleware";

import { useServices } from "../../../services";
import { useSingleKey } from "../../../shell/shortcuts";
import { notify } from "../../../ui/toasts";
import type { StudyAct, StudyStep } from "../../../wire/generated";
import { ApiError } from "../../../wire/http";
import { stepKey, takeInStep } from "../hooks";
import { isClosed, subjectOf } from "./flow";
import { sessionStrings } from "./strings";

type Act = Omit<StudyAct, "course" | "step" | "learner" | "seconds">;

/** What is left out or exchanged needs no talk, nor does a card that one judged oneself before the next. */
function isTalkedAbout({ act, rating }: Act, before: StudyStep, after: StudyStep): boolean {
  if (act !== "answer" && act !== "hint" && act !== "give_up") return false;
  const isNextCard = rating != null && before.exercise?.id === after.exercise?.id;
  return !isNextCard && isClosed(before, after);
}

interface Doing {
  what: Act;
  /** The step it was done at. */
  before: StudyStep;
}

export interface Exchange {
  mine: string;
  says: string[];
}

export interface Player {
  step: StudyStep;
  /** What ended with the last act: it is talked about until somebody goes on. */
  ended: { before: StudyStep; after: StudyStep; what: Act } | null;
  goOn: () => void;
  act: (what: Act) => void;
  upload: (name: string, file: Blob) => Promise<StudyStep>;
  isBusy: boolean;
  error: Error | null;
  /** Whether somebody has come back to a session and has done nothing yet. */
  isBack: boolean;
  /** What was said before this window looked. */
  loose: readonly string[];
  /** What was said about the same question in this window, oldest first. */
  talk: Exchange[];
}

export function useStep(course: string): UseQueryResult<StudyStep> {
  const { api } = useServices();
  const queries = useQueryClient();
  useEffect(
    () => () => {
      // Whoever comes back to a session that is over begins another one.
      if (queries.getQueryData<StudyStep>(stepKey(course))?.stage === "over") queries.removeQueries({ queryKey: stepKey(course) });
    },
    [queries, course],
  );
  return useQuery({
    queryKey: stepKey(course),
    queryFn: () => api.study.session(course),
    refetchOnWindowFocus: "always",
    structuralSharing: (known, found) => withSummary(known as StudyStep | undefined, found as StudyStep),
  });
}

/** The server tells how a session went once; asked again it has none, and the summary has to stay. */
function withSummary(known: StudyStep | undefined, found: StudyStep): StudyStep {
  return known?.stage === "over" && found.stage === "nothing" ? known : replaceEqualDeep(known, found);
}

export function usePlayer(current: StudyStep): Player {
  const { api } = useServices();
  const queries = useQueryClient();
  const { course } = current;
  const [ended, setEnded] = useState<Player["ended"]>(null);
  const [wasResumed] = useState(current.resumed);
  const [toldAt, setToldAt] = useState(-1);
  const [talk, setTalk] = useState<{ subject: string; lines: Exchange[] }>({ subject: "", lines: [] });
  const seconds = useSeconds(ended === null ? subjectOf(current) : null);

  const mutation = useMutation({
    mutationFn: ({ what, before }: Doing) => api.study.act({ ...what, course, step: before.step, seconds: seconds() }),
    onSuccess: (after, { what, before }) => {
      const subject = subjectOf(before);
      takeInStep(queries, after);
      setToldAt(after.step);
      if (isTalkedAbout(what, before, after)) setEnded({ before, after, what });
      // Only now: what could not be sent is still there.
      if (subjectOf(after) !== subject || before.exercise?.asking !== null) dropDrafts(subject);
      const line = { mine: what.act === "answer" ? (what.text ?? "") : "", says: after.says };
      setTalk((known) => ({
        subject: subjectOf(after),
        lines: subjectOf(after) === subject ? [...(known.subject === subject ? known.lines : []), line] : [],
      }));
    },
    onError: (error) => {
      if (!isElsewhere(error)) return;
      // Somebody was quicker: show where the session stands, and say why.
      notify(sessionStrings.elsewhere);
      void queries.invalidateQueries({ queryKey: stepKey(course) });
    },
  });

  // The news that the session has moved may be quicker than the answer that moved it; what was asked
  // stays until the answer is there, because it is talked about first.
  const step = mutation.isPending ? mutation.variables.before : current;
  const { error } = mutation;
  return {
    step,
    ended,
    goOn: () => {
      setEnded(null);
    },
    act: (what) => {
      if (!mutation.isPending) mutation.mutate({ what, before: step });
    },
    upload: async (name, file) => {
      const after = await api.study.upload({ course, step: step.step, name, file });
      takeInStep(queries, after);
      return after;
    },
    isBusy: mutation.isPending,
    error: isElsewhere(error) ? null : error,
    isBack: wasResumed && toldAt < 0,
    loose: step.step === toldAt || mutation.isPending ? [] : step.says,
    talk: talk.subject === subjectOf(step) ? talk.lines : [],
  };
}

function isElsewhere(error: Error | null): boolean {
  return error instanceof ApiError && error.status === 409;
}

/** Seconds since something was shown first; coming back to a page counts from then on. */
function useSeconds(subject: string | null): () => number {
  const since = useRef(0);
  useEffect(() => {
    since.current = performance.now();
  }, [subject]);
  return () => Math.round((performance.now() - since.current) / 100) / 10;
}

function dropDrafts(subject: string): void {
  const { drafts, drop } = useDrafts.getState();
  for (const key of Object.keys(drafts)) {
    if (key.startsWith(subject)) drop(key);
  }
}

// What was typed and not handed in yet. It outlives a reload, and a server that has stopped.

/** Drafts of exercises that nobody went on with are let go, oldest first. */
const MOST = 40;

interface DraftStore {
  drafts: Record<string, string>;
  keep: (key: string, text: string) => void;
  drop: (key: string) => void;
}

export const useDrafts = create<DraftStore>()(
  persist(
    (set) => ({
      drafts: {},
      keep: (key, text) => {
        set(({ drafts }) => {
          const others = Object.entries(without(drafts, key)).slice(1 - MOST);
          return { drafts: Object.fromEntries([...others, [key, text]]) };
        });
      },
      drop: (key) => {
        set(({ drafts }) => ({ drafts: without(drafts, key) }));
      },
    }),
    { name: "paige-study-drafts" },
  ),
);

function without(drafts: Record<string, string>, key: string): Record<string, string> {
  return Object.fromEntries(Object.entries(drafts).filter(([name]) => name !== key));
}

/** The draft of one thing that is asked: its text, and how to change it. An empty text is no draft. */
export function useDraft(key: string): [string, (text: string) => void] {
  const text = useDrafts(({ drafts }) => drafts[key] ?? "");
  const { keep, drop } = useDrafts.getState();
  return [
    text,
    (next) => {
      if (next === "") drop(key);
      else keep(key, next);
    },
  ];
}

// The keys of a session. Letters and digits rest while somebody types, and when they are turned off.

type Handlers = Record<string, (() => void) | undefined>;

const WRITTEN_IN = "input:not([type=radio], [type=checkbox]), textarea, select";
const ENTERED = `${WRITTEN_IN}, button, a, summary, audio, [role=menuitem]`;

/** Calls the handler of a key as `KeyboardEvent.key` names it, in small letters. */
export function useKeys(handlers: Handlers): void {
  const latest = useRef(handlers);
  useEffect(() => {
    latest.current = handlers;
  });
  useEffect(() => {
    const handle = (event: KeyboardEvent): void => {
      const key = event.key.toLowerCase();
      const handler = latest.current[key];
      if (handler === undefined || !isMeantForThePage(event, key)) return;
      event.preventDefault();
      handler();
    };
    window.addEventListener("keydown", handle);
    return () => {
      window.removeEventListener("keydown", handle);
    };
  }, []);
}

function isMeantForThePage(event: KeyboardEvent, key: string): boolean {
  const { target, ctrlKey, metaKey, altKey, isComposing, repeat } = event;
  if (ctrlKey || metaKey || altKey || isComposing || repeat || event.defaultPrevented) return false;
  if (document.querySelector("[role=dialog], [role=alertdialog], [role=menu]") !== null) return false;
  if (key.length === 1 && !useSingleKey.getState().enabled) return false;
  if (!(target instanceof HTMLElement)) return true;
  // Enter on a button or a link is that button's.
  return !target.isContentEditable && !target.matches(key === "enter" ? ENTERED : WRITTEN_IN);
}
