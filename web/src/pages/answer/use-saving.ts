/** Keeps what is typed: a draft a moment after the last key, one request at a time, two devices put together. */

import { useCallback, useEffect, useRef, useState } from "react";

import { useServices } from "../../services";
import { ApiError } from "../../wire/errors";
import type { AnswerSheet } from "../../wire/generated";

const PAUSE_MS = 1200;
const MOST_TRIES = 3;
export type Saved = "saved" | "unsaved" | "saving" | "failed";

interface Saving {
  sheet: AnswerSheet;
  answers: Answers;
  state: Saved;
  error: Error | null;
  /** What another device has written for the same questions. */
  differences: readonly Difference[];
  write: (id: string, at: number, text: string) => void;
  save: (isHandedIn: boolean) => Promise<boolean>;
}

export function useSaving(token: string, first: AnswerSheet): Saving {
  const { answer } = useServices().api;
  const [sheet, setSheet] = useState(first);
  const [answers, setAnswers] = useState<Answers>(first.answers);
  const [state, setState] = useState<Saved>("saved");
  const [error, setError] = useState<Error | null>(null);
  const [differences, setDifferences] = useState<readonly Difference[]>([]);
  // What the next request sends, and what was changed since the server knew.
  const now = useRef<Answers>(first.answers);
  const version = useRef(first.version);
  const touched = useRef(new Set<string>());
  const running = useRef<Promise<boolean> | null>(null);

  const put = useCallback((next: Answers) => {
    now.current = next;
    setAnswers(next);
  }, []);

  const send = useCallback(
    async (isHandedIn: boolean): Promise<AnswerSheet> => {
      for (let tries = 1; ; tries += 1) {
        const sent = now.current;
        const changed = new Set(touched.current);
        try {
          const stored = await answer.save(token, { answers: copied(sent), version: version.current, handIn: isHandedIn });
          for (const id of changed) if (now.current[id] === sent[id]) touched.current.delete(id);
          return stored;
        } catch (failure) {
          if (!(failure instanceof ApiError) || failure.status !== 409 || tries === MOST_TRIES) throw failure;
          const newest = await answer.read(token);
          const both = mergeAnswers(now.current, newest.answers, touched.current);
          version.current = newest.version;
          put(both.answers);
          setDifferences(both.differences);
        }
      }
    },
    [answer, put, token],
  );

  const keep = useCallback(
    async (isHandedIn: boolean): Promise<boolean> => {
      setState("saving");
      try {
        const stored = await send(isHandedIn);
        version.current = stored.version;
        setSheet(stored);
        setError(null);
        setState(touched.current.size > 0 ? "unsaved" : "saved");
        return true;
      } catch (failure) {
        setError(failure instanceof Error ? failure : new Error(String(failure)));
        setState("failed");
        return false;
      }
    },
    [send],
  );

  const save = useCallback(
    async (isHandedIn: boolean): Promise<boolean> => {
      // A draft that is on its way is enough; handing in waits for it.
      if (running.current !== null && !isHandedIn) return false;
      await running.current;
      running.current = keep(isHandedIn).finally(() => {
        running.current = null;
      });
      return running.current;
    },
    [keep],
  );

  useEffect(() => {
    if (state !== "unsaved") return;
    const timer = setTimeout(() => void save(false), PAUSE_MS);
    return () => {
      clearTimeout(timer);
    };
  }, [answers, save, state]);

  const write = useCallback(
    (id: string, at: number, text: string) => {
      touched.current.add(id);
      put({ ...now.current, [id]: withPart(now.current[id], at, text) });
      setState((before) => (before === "saving" ? before : "unsaved"));
    },
    [put],
  );
  return { sheet, answers, state, error, differences, write, save };
}

function copied(answers: Answers): Record<string, string[]> {
  return Object.fromEntries(Object.entries(answers).map(([id, parts]) => [id, [...parts]]));
}

// Answers of two devices with one code, put together so that nothing is lost unseen.

type Answers = Readonly<Record<string, readonly string[]>>;

export interface Difference {
  id: string;
  /** What the other device says. */
  there: string;
}

interface Merged {
  answers: Answers;
  differences: readonly Difference[];
}

/** What was changed here stays; everything else comes from there. Where both have other words, that is told. */
export function mergeAnswers(here: Answers, there: Answers, touched: ReadonlySet<string>): Merged {
  const answers: Record<string, readonly string[]> = { ...there };
  const differences: Difference[] = [];
  for (const id of touched) {
    const own = here[id] ?? [];
    const other = said(there[id]);
    answers[id] = own;
    if (other !== "" && other !== said(own)) differences.push({ id, there: other });
  }
  return { answers, differences };
}

/** Whether something was written for a question. */
export function isAnswered(parts: readonly string[] | undefined): boolean {
  return said(parts) !== "";
}

/** One part changed; those before it are there, even if they are empty. */
export function withPart(parts: readonly string[] | undefined, at: number, text: string): string[] {
  const next = [...(parts ?? [])];
  while (next.length <= at) next.push("");
  next[at] = text;
  return next;
}

function said(parts: readonly string[] | undefined): string {
  return (parts ?? [])
    .map((part) => part.trim())
    .filter((part) => part !== "")
    .join("; ");
}
