/** Where somebody with a code answers a worksheet. */

import { useQuery } from "@tanstack/react-query";
import { CircleCheck } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useCallback, useEffect, useId, useRef, useState } from "react";
import { useLocation } from "wouter";

import { useServices } from "../../services";
import { Page } from "../../shell/page";
import { Button } from "../../ui/button";
import { formatMoment } from "../../ui/data/when";
import { QueryError } from "../../ui/error-panel";
import { FormError, TextField } from "../../ui/forms/field";
import { Marked } from "../../ui/marked";
import { Section } from "../../ui/section";
import { Loading, Skeleton } from "../../ui/skeleton";
import type { AnswerQuestion, AnswerSheet } from "../../wire/generated";
import { ApiError } from "../../wire/http";
import { answerStrings as text } from "./strings";

export function AnswerPage({ token }: { token: string }): ReactNode {
  return token === "" ? <CodeForm /> : <Opened token={token} />;
}

function Opened({ token }: { token: string }): ReactNode {
  const { answer } = useServices().api;
  const sheet = useQuery({
    queryKey: ["answer", token],
    queryFn: () => answer.read(token),
    // What somebody has typed must not be replaced while they type.
    staleTime: Infinity,
    gcTime: 0,
    retry: false,
  });
  if (sheet.data !== undefined) return <Sheet key={token} token={token} first={sheet.data} />;
  return (
    <Page title={text.title}>
      {sheet.isError ? (
        <>
          <QueryError title={text.failed} query={sheet} />
          <CodeForm isSmall />
        </>
      ) : (
        <Loading label={text.loading}>
          <Skeleton className="mt-6 h-96" />
        </Loading>
      )}
    </Page>
  );
}

function CodeForm({ isSmall = false }: { isSmall?: boolean }): ReactNode {
  const [, go] = useLocation();
  const [code, setCode] = useState("");
  const submit = (event: SyntheticEvent): void => {
    event.preventDefault();
    if (code.trim() !== "") go(`/answer/${encodeURIComponent(code.trim())}`);
  };
  const form = (
    <form onSubmit={submit} className="mt-8 flex flex-col gap-4">
      <TextField label={text.code.label} hint={text.code.hint} value={code} onChange={setCode} required autoCapitalize="off" maxLength={40} />
      <Button type="submit">{text.code.open}</Button>
    </form>
  );
  if (isSmall) return form;
  return (
    <Page title={text.code.heading} lead={text.code.lead}>
      {form}
    </Page>
  );
}

const STATES: Record<Saved, string> = { saved: text.saved, unsaved: text.unsaved, saving: text.saving, failed: text.saveFailed };

/** The worksheet: its questions, what is saved, and handing it in. */
function Sheet({ token, first }: { token: string; first: AnswerSheet }): ReactNode {
  const { sheet, answers, state, error, differences, write, save } = useSaving(token, first);
  const arrived = useRef<HTMLDivElement>(null);
  const questions = sheet.sections.flatMap((section) => section.questions);
  const done = questions.filter((question) => isAnswered(answers[question.id])).length;
  const handIn = (event: SyntheticEvent): void => {
    event.preventDefault();
    void save(true).then((isStored) => {
      if (isStored) arrived.current?.focus();
    });
  };
  return (
    <Page title={sheet.title} lead={<Marked text={sheet.instructions} />}>
      <p className="mt-2 text-ink-soft">{sheet.open ? `${text.noName} ${text.openUntil(formatMoment(sheet.closesAt))}` : text.closed}</p>
      <Arrived ref={arrived} at={sheet.handedInAt} />
      <form onSubmit={handIn}>
        {sheet.sections.map((section) => (
          <Section key={section.number} heading={text.section(section.number, section.title)} lead={section.intro === "" ? undefined : section.intro}>
            <ol className="flex flex-col gap-6">
              {section.questions.map((question) => (
                <li key={question.id} className="list-none">
                  <Question
                    question={question}
                    parts={answers[question.id] ?? []}
                    isOpen={sheet.open}
                    onWrite={(at, words) => {
                      write(question.id, at, words);
                    }}
                  />
                </li>
              ))}
            </ol>
          </Section>
        ))}
        <Differences differences={differences} />
        {error !== null && (
          <div className="mt-6">
            <FormError id="answer-error" error={error} />
          </div>
        )}
        {sheet.open && (
          <div className="mt-8 flex flex-wrap items-center gap-4">
            <Button type="submit">{sheet.handedInAt === null ? text.handIn : text.handInAgain}</Button>
            <p role="status" className="text-ink-soft">
              {text.progress(done, questions.length)}. {STATES[state]}.
            </p>
          </div>
        )}
      </form>
    </Page>
  );
}

function Arrived({ at, ref }: { at: string | null; ref: React.Ref<HTMLDivElement> }): ReactNode {
  return (
    <div ref={ref} tabIndex={-1} role="status" className="mt-4 outline-none">
      {at !== null && (
        <div className="flex gap-3 rounded-lg border border-edge bg-card p-4">
          <CircleCheck aria-hidden className="mt-1 size-5 shrink-0 text-ok" />
          <div>
            <p className="font-semibold">{text.arrived}</p>
            <p className="text-ink-soft">{text.arrivedHint(formatMoment(at))}</p>
          </div>
        </div>
      )}
    </div>
  );
}

function Differences({ differences }: { differences: readonly Difference[] }): ReactNode {
  if (differences.length === 0) return null;
  return (
    <div role="alert" className="mt-6 rounded-lg border border-edge bg-card p-4">
      <p className="font-semibold">{text.merged}</p>
      <ul className="mt-1 list-disc pl-6">
        {differences.map(({ id, there }) => (
          <li key={id}>{text.there(id, there)}</li>
        ))}
      </ul>
    </div>
  );
}

const LONGEST = 500;

interface QuestionProps {
  question: AnswerQuestion;
  parts: readonly string[];
  isOpen: boolean;
  onWrite: (at: number, words: string) => void;
}

/** One question: options to choose from, or a field for each blank. */
function Question({ question, parts, isOpen, onWrite }: QuestionProps): ReactNode {
  if (question.options.length > 0) return <Options question={question} chosen={parts[0] ?? ""} isOpen={isOpen} onWrite={onWrite} />;
  if (question.blanks === 1) {
    return (
      <TextField
        label={<Marked text={question.prompt} />}
        value={parts[0] ?? ""}
        maxLength={LONGEST}
        readOnly={!isOpen}
        onChange={(words) => {
          onWrite(0, words);
        }}
      />
    );
  }
  return (
    <fieldset className="flex flex-col gap-3">
      <legend className="font-semibold">
        <Marked text={question.prompt} />
      </legend>
      {Array.from({ length: question.blanks }, (_, at) => (
        <TextField
          key={at}
          label={text.blank(at + 1, question.blanks)}
          value={parts[at] ?? ""}
          maxLength={LONGEST}
          readOnly={!isOpen}
          onChange={(words) => {
            onWrite(at, words);
          }}
        />
      ))}
    </fieldset>
  );
}

interface OptionsProps {
  question: AnswerQuestion;
  chosen: string;
  isOpen: boolean;
  onWrite: (at: number, words: string) => void;
}

function Options({ question, chosen, isOpen, onWrite }: OptionsProps): ReactNode {
  const name = useId();
  return (
    <fieldset disabled={!isOpen}>
      <legend className="font-semibold">
        <Marked text={question.prompt} />
      </legend>
      <div className="mt-1 flex flex-col">
        {question.options.map((option) => (
          <label key={option.letter} className="flex min-h-11 cursor-pointer items-center gap-3 has-disabled:cursor-not-allowed">
            <input
              type="radio"
              name={name}
              value={option.letter}
              checked={chosen.trim().toUpperCase() === option.letter}
              className="size-5 shrink-0 accent-accent"
              onChange={() => {
                onWrite(0, option.letter);
              }}
            />
            <Marked text={`${option.letter}) ${option.text}`} />
          </label>
        ))}
      </div>
    </fieldset>
  );
}

// Keeps what is typed: a draft a moment after the last key, one request at a time, two devices put together.

const PAUSE_MS = 1200;
const MOST_TRIES = 3;
type Saved = "saved" | "unsaved" | "saving" | "failed";

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

function useSaving(token: string, first: AnswerSheet): Saving {
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

interface Difference {
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
