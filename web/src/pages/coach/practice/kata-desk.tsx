/** Where a kata is solved. */

import { RotateCcw, Send, Square } from "lucide-react";
import { type ReactNode, useState } from "react";

import { coachStrings } from "../../../strings-coach";
import { undoable } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import { Markdown } from "../../../ui/markdown/markdown";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { useCoachActions } from "../state/actions";
import { ids } from "../state/asking";
import { type LoadedKata, useKata } from "../state/kata";
import { WithEditor } from "../work/editor/load-parts";
import { Constraints } from "./constraints";
import { guessLanguage } from "./language";
import { ReviewView } from "./review-view";
import { useSolutions } from "./solutions";

const text = coachStrings.practice;
const KEYS_ID = "coach-kata-keys";
const NOTHING: never[] = [];

function doNothing(): void {
  // A kata has no hints in its lines, and nothing of it is told while one types.
}

export function KataDesk({ loaded }: { loaded: LoadedKata }): ReactNode {
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
