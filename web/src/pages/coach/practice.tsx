/** One kata: the task, the editor, constraints, and what Paige says about the solution. */

import { clsx } from "clsx";
import { CircleCheck, CircleDashed, Dumbbell, Lock, RotateCcw, Send, Square } from "lucide-react";
import { type ReactNode, useCallback, useEffect, useId, useState } from "react";
import { create, useStore } from "zustand";
import { createJSONStorage, persist } from "zustand/middleware";

import { useServices } from "../../services";
import { BackLink, Button } from "../../ui/button";
import { Mark } from "../../ui/data/facts";
import { DoorFrame } from "../../ui/door-frame";
import { ErrorPanel } from "../../ui/error-panel";
import { Markdown } from "../../ui/markdown";
import { Marked } from "../../ui/marked";
import { Loading, Skeleton } from "../../ui/skeleton";
import { undoable } from "../../ui/toasts";
import type { Constraint, FollowUp } from "../../wire/generated";
import { coachRoute } from "./coach-route";
import { useCoachActions } from "./state/actions";
import { ids } from "./state/session";
import { type LoadedKata, type Review, useKata } from "./state/stores";
import { coachStrings } from "./strings";
import { WithEditor } from "./work/editor-pane";

const text = coachStrings.practice;

export function Practice({ id }: { id: string }): ReactNode {
  const { connection, connectionState } = useServices();
  const isOpen = useStore(connectionState, ({ name }) => name === "open");
  const loaded = useKata((kata) => kata.loaded);
  const ask = useCallback(() => {
    useKata.getState().open(id);
    connection.send({ type: "practice:open", payload: { kataId: id }, id: ids.kata(id) });
  }, [connection, id]);
  useEffect(() => {
    if (isOpen) ask();
  }, [isOpen, ask]);
  const title = loaded.state === "answered" ? loaded.answer.kata.title : coachRoute.practice;
  return (
    <DoorFrame door="coach" icon={Dumbbell} heading={title} isSmall>
      <BackLink href="/coach">{text.back}</BackLink>
      {loaded.state === "failed" && <ErrorPanel title={text.failed} message={loaded.message} hint={loaded.hint} onRetry={ask} />}
      {(loaded.state === "none" || loaded.state === "asking") && (
        <Loading label={text.loading}>
          <div className="mt-4 grid gap-8 xl:grid-cols-2">
            <Skeleton className="h-64" />
            <Skeleton className="h-96" />
          </div>
        </Loading>
      )}
      {loaded.state === "answered" && <KataDesk loaded={loaded.answer} />}
    </DoorFrame>
  );
}

const KEYS_ID = "coach-kata-keys";
const NOTHING: never[] = [];

function doNothing(): void {
  // A kata has no hints in its lines, and nothing of it is told while one types.
}

/** Where a kata is solved. */
function KataDesk({ loaded }: { loaded: LoadedKata }): ReactNode {
  const { kata, constraints } = loaded;
  const submitted = useKata((store) => store.submitted);
  const solution = useSolutions(({ solutions }) => solutions[kata.id]);
  const { keep, drop } = useSolutions.getState();
  const [chosen, setChosen] = useState<ReadonlySet<string>>(new Set());
  const { ask } = useCoachActions();
  const code = solution ?? kata.scaffoldingCode;
  const isAsking = submitted.state === "asking";
  const submit = (): void => {
    const solved = useSolutions.getState().solutions[kata.id] ?? kata.scaffoldingCode;
    const payload = { kataId: kata.id, code: solved, activeConstraints: [...chosen] };
    if (!isAsking && ask({ type: "practice:submit_solution", payload, id: ids.submit(kata.id) })) {
      useKata.setState({ submitted: { state: "asking" } });
    }
  };
  return (
    <>
      <dl className="mt-1 flex flex-wrap gap-x-6 gap-y-1">
        <Fact name={text.topic} value={kata.topic} />
        <Fact name={`${text.attempts}:`} value={String(kata.attemptsCount)} />
        <Fact name={`${text.best}:`} value={kata.bestLevel === null ? text.none : text.level(kata.bestLevel)} />
      </dl>
      <div className="mt-5 grid items-start gap-x-10 gap-y-8 xl:grid-cols-[minmax(0,2fr)_minmax(0,3fr)]">
        <div className="flex flex-col gap-8">
          <section aria-labelledby="coach-task">
            <h2 id="coach-task" className="text-xl">{text.task}</h2>
            <Markdown className="mt-2" text={kata.description} deeper={2} />
          </section>
          <Constraints
            open={constraints}
            locked={loaded.locked}
            chosen={chosen}
            onChange={(title, isChosen) => {
              const next = new Set(chosen);
              if (isChosen) next.add(title);
              else next.delete(title);
              setChosen(next);
            }}
          />
        </div>
        <div className="flex min-w-0 flex-col gap-8">
          <section aria-labelledby="coach-code">
            <h2 id="coach-code" className="text-xl">{text.code}</h2>
            <div className="mt-2 h-[26rem] overflow-hidden rounded-md border border-edge bg-card">
              <WithEditor>
                {({ CodeView }) => (
                  <CodeView
                    path={kata.id}
                    label={text.code}
                    described={KEYS_ID}
                    language={guessLanguage(kata.scaffoldingCode)}
                    value={code}
                    hints={NOTHING}
                    balloons={NOTHING}
                    goTo={null}
                    nextHint={0}
                    onType={(_, words) => {
                      if (words === kata.scaffoldingCode) drop(kata.id);
                      else keep(kata.id, words);
                    }}
                    onSave={submit}
                    onExplain={doNothing}
                    onSelect={doNothing}
                    onHintShown={doNothing}
                    onDismiss={doNothing}
                    onScroll={doNothing}
                  />
                )}
              </WithEditor>
            </div>
            <p id={KEYS_ID} className="mt-1 text-base text-ink-soft">
              {text.keys}
            </p>
            <div className="mt-2 flex flex-wrap gap-2">
              <Button disabled={isAsking} aria-keyshortcuts="Control+S Meta+S" onClick={submit}>
                <Send aria-hidden className="size-4" />
                {text.submit}
              </Button>
              {isAsking && (
                <Button look="quiet" onClick={() => ask({ type: "practice:stop", payload: {} })}>
                  <Square aria-hidden className="size-4" />
                  {text.stop}
                </Button>
              )}
              <Button
                look="quiet"
                disabled={solution === undefined}
                onClick={() => {
                  drop(kata.id);
                  undoable(text.startedOver, () => {
                    keep(kata.id, code);
                    return Promise.resolve();
                  });
                }}
              >
                <RotateCcw aria-hidden className="size-4" />
                {text.startOver}
              </Button>
            </div>
          </section>
          <Reviews />
        </div>
      </div>
    </>
  );
}

function Fact({ name, value }: { name: string; value: string }): ReactNode {
  return (
    <div className="flex gap-1.5">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="font-semibold">{value}</dd>
    </div>
  );
}

function Reviews(): ReactNode {
  const submitted = useKata((store) => store.submitted);
  const reviews = useKata((store) => store.reviews);
  const earlier = submitted.state === "answered" ? reviews.slice(1) : reviews;
  return (
    <section aria-labelledby="coach-review">
      <h2 id="coach-review" className="text-xl">{text.review}</h2>
      <div className="mt-2" aria-live="polite">
        {submitted.state === "none" && <p className="text-ink-soft">{text.reviewEmpty}</p>}
        {submitted.state === "asking" && (
          <Loading label={text.submitting}>
            <Skeleton className="h-24" />
          </Loading>
        )}
        {submitted.state === "failed" && (
          <div role="alert">
            <p className="font-semibold text-fail">{text.reviewFailed}</p>
            <Marked className="block" text={submitted.message} />
            <Marked className="block text-ink-soft" text={submitted.hint ?? text.reviewFailedHint} />
          </div>
        )}
        {submitted.state === "answered" && <ReviewView review={submitted.answer} />}
      </div>
      {earlier.length > 0 && (
        <details className="mt-4">
          <summary className="cursor-pointer font-semibold">{text.earlier}</summary>
          <ol className="mt-2 flex flex-col gap-4 border-l-2 border-rule pl-4">
            {earlier.map((review, at) => (
              <li key={reviews.length - at}>
                <ReviewView review={review} />
              </li>
            ))}
          </ol>
        </details>
      )}
    </section>
  );
}

interface ConstraintsProps {
  open: readonly Constraint[];
  locked: readonly Pick<Constraint, "title" | "minLevel">[];
  chosen: ReadonlySet<string>;
  onChange: (title: string, isChosen: boolean) => void;
}

/** What makes a kata harder: what can be chosen, and what opens at a higher level. */
function Constraints({ open, locked, chosen, onChange }: ConstraintsProps): ReactNode {
  const id = useId();
  return (
    <fieldset>
      <legend className="font-heading text-xl font-semibold">{text.constraints}</legend>
      <p className="mt-1 text-ink-soft">{open.length === 0 ? text.constraintsEmpty : text.constraintsLead}</p>
      <ul className="mt-2 flex flex-col gap-1">
        {open.map(({ title, description }, at) => (
          <li key={title} className="flex min-h-11 gap-3 py-1.5">
            <input
              id={`${id}-${at}`}
              type="checkbox"
              aria-describedby={`${id}-${at}-note`}
              checked={chosen.has(title)}
              onChange={(event) => {
                onChange(title, event.target.checked);
              }}
              className="mt-1.5 size-5 shrink-0 accent-(--accent)"
            />
            <div>
              <label htmlFor={`${id}-${at}`} className="font-semibold">
                {title}
              </label>
              <p id={`${id}-${at}-note`} className="text-ink-soft">
                <Marked text={description} />
              </p>
            </div>
          </li>
        ))}
        {locked.map(({ title, minLevel }) => (
          <li key={title} className="flex gap-3 py-1.5 text-ink-soft">
            <Lock aria-hidden className="mt-1 size-5 shrink-0" />
            <span>
              <span className="block font-semibold">{title}</span>
              {text.locked(minLevel)}
            </span>
          </li>
        ))}
      </ul>
    </fieldset>
  );
}

/** The language of a piece of code, by its looks: a kata does not say it. */
function guessLanguage(code: string): string {
  if (/^\s*(package \w+|func \w+\()/m.test(code)) return "go";
  if (/^\s*(fn \w+|use \w+::|impl\b)/m.test(code)) return "rust";
  if (/^\s*(const|let|function|interface|type|export|import .+ from)\b/m.test(code)) return "typescript";
  return "python";
}

interface SolutionStore {
  solutions: Readonly<Record<string, string>>;
  keep: (kata: string, code: string) => void;
  drop: (kata: string) => void;
}

/** Solutions that were begun; they outlive a look at another page, and a reload. */
const useSolutions = create<SolutionStore>()(
  persist(
    (set) => ({
      solutions: {},
      keep: (kata, code) => {
        set(({ solutions }) => ({ solutions: { ...solutions, [kata]: code } }));
      },
      drop: (kata) => {
        set(({ solutions }) => ({ solutions: Object.fromEntries(Object.entries(solutions).filter(([id]) => id !== kata)) }));
      },
    }),
    { name: "paige-coach-solutions", storage: createJSONStorage(() => sessionStorage) },
  ),
);

// A review: passed or not, the level, what is good and what is missing, and what comes next.

export function ReviewView({ review }: { review: Review }): ReactNode {
  const { passed, level, feedback, followUp, dreyfusSignal, unlockedConstraints } = review;
  return (
    <div className="flex flex-col gap-2">
      <p className="flex flex-wrap items-baseline gap-x-2">
        <Mark tone={passed ? "ok" : "warn"} icon={passed ? CircleCheck : CircleDashed}>
          {passed ? text.passed : text.notPassed}
        </Mark>
        {text.level(level)}
      </p>
      <Level level={level} />
      <Markdown text={feedback} deeper={2} />
      {followUp !== null && (
        <p>
          <Marked text={followUpWords(followUp)} />
        </p>
      )}
      {unlockedConstraints.length > 0 && (
        <p>
          <strong>{text.unlocked}</strong> {unlockedConstraints.map(({ title }) => title).join(", ")}
        </p>
      )}
      <p className="text-base text-ink-soft">{text.signals[dreyfusSignal]}</p>
    </div>
  );
}

function Level({ level }: { level: number }): ReactNode {
  return (
    <div aria-hidden className="flex gap-1">
      {Array.from({ length: 10 }, (_, at) => (
        <span key={at} className={clsx("h-2 flex-1 rounded-sm", at < level ? "bg-spine" : "bg-line")} />
      ))}
    </div>
  );
}

function followUpWords({ type, constraint, reason }: FollowUp): string {
  return [text.followUps[type], constraint, reason].filter((part) => typeof part === "string" && part !== "").join(" ");
}
