/** What came of an answer or of a whole exercise: at once, with the explanation, before the next thing. */

import { ArrowRight, CircleCheck, CircleDashed, CircleOff, CircleX } from "lucide-react";
import { type ReactNode, useEffect, useRef } from "react";

import { Button } from "../../../ui/button";
import { Marked } from "../../../ui/marked";
import type { StudyResult, StudyStep, StudyVerdict } from "../../../wire/generated";
import { TestList } from "./code-work";
import { askedIn, letterOf, newResult, saidAbout, toneOf, unsaid } from "./flow";
import { Said, StudyText, TONES } from "./frame";
import { sessionStrings } from "./strings";
import { type Player, useKeys } from "./use-session";

const text = sessionStrings.feedback;

interface FeedbackProps {
  ended: NonNullable<Player["ended"]>;
  goOn: () => void;
}

export function Feedback({ ended: { before, after, what }, goOn }: FeedbackProps): ReactNode {
  const result = newResult(before, after);
  const isShown = what.act !== "answer";
  const tone = isShown ? "neutral" : toneOf(after.says, result);
  const { icon: Icon, color, edge } = TONES[tone];
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => {
    button.current?.focus({ preventScroll: true });
    window.scrollTo({ top: 0 });
  }, []);
  useKeys({ enter: goOn });
  return (
    <section aria-labelledby="study-feedback" className={`study-arrive rounded-2xl border border-l-8 border-line bg-card px-5 py-6 shadow-xs sm:px-8 sm:py-8 ${edge}`}>
      <h2 id="study-feedback" className="flex flex-wrap items-center gap-3 text-2xl">
        <Icon aria-hidden className={`size-8 shrink-0 ${color}`} />
        {isShown ? text.shown : headingOf(result, tone)}
      </h2>
      <Answered before={before} mine={what.text ?? ""} />
      <div role="status" className="mt-4 text-lg">
        <Said says={unsaid(after.says, result)} />
      </div>
      {result !== null && <Details result={result} says={after.says} />}
      <Button ref={button} className="mt-8 min-h-12 px-6 text-lg" aria-keyshortcuts="Enter" onClick={goOn}>
        {nextOf(before, after)}
        <ArrowRight aria-hidden className="size-5" />
      </Button>
    </section>
  );
}

/** The question and the answer again, where it was one of each. */
function Answered({ before, mine }: { before: StudyStep; mine: string }): ReactNode {
  const asked = before.exercise === null ? null : (askedIn(before.exercise)?.question ?? null);
  const prompt = asked?.prompt ?? before.question;
  if (prompt === null) return null;
  const place = asked === null || mine.length > 1 ? -1 : asked.choices.findIndex((_, at) => letterOf(at) === mine);
  return (
    <div className="mt-4 max-w-prose border-l-4 border-rule pl-4">
      <StudyText text={prompt} className="text-ink-soft" />
      {mine !== "" && (
        <p className="mt-1 whitespace-pre-wrap">
          <span className="text-ink-soft">{text.yours}: </span>
          {asked?.choices[place] ?? mine}
        </p>
      )}
    </div>
  );
}

function Details({ result, says }: { result: StudyResult; says: readonly string[] }): ReactNode {
  return (
    <>
      <TestList tests={result.tests} />
      {result.answers.length > 1 && <Verdicts answers={result.answers} says={says} />}
      <Lines heading={text.strengths} lines={result.strengths} />
      <Lines heading={text.improvements} lines={result.improvements} />
      {result.remarks.map((remark) => (
        <p key={remark} className="mt-3 max-w-prose text-base text-ink-soft">
          {remark}
        </p>
      ))}
    </>
  );
}

function Lines({ heading, lines }: { heading: string; lines: readonly string[] }): ReactNode {
  if (lines.length === 0) return null;
  return (
    <div className="mt-5">
      <h3 className="text-lg">{heading}</h3>
      <Said says={lines} className="mt-1" />
    </div>
  );
}

function headingOf(result: StudyResult | null, tone: keyof typeof text.heading): string {
  if (result === null || !result.gradable || result.score.total < 2) return text.heading[tone];
  return `${text.score(result.score.correct, result.score.total)} · ${text.heading[tone]}`;
}

function nextOf(before: StudyStep, after: StudyStep): string {
  if (after.stage === "over") return text.summary;
  if (before.exercise !== null && before.exercise.id === after.exercise?.id) return text.nextSame;
  if (before.stage === "check") return sessionStrings.practise;
  return after.item === null ? sessionStrings.goOn : text.next(after.item.title);
}

const LOOKS = {
  correct: { icon: CircleCheck, color: "text-ok" },
  partial: { icon: CircleDashed, color: "text-warn" },
  incorrect: { icon: CircleX, color: "text-fail" },
  unanswered: { icon: CircleOff, color: "text-ink-soft" },
};

/** A whole exercise question by question: what was not right in full, what was right to unfold. */
function Verdicts({ answers, says }: { answers: readonly StudyVerdict[]; says: readonly string[] }): ReactNode {
  const right = answers.filter(({ verdict }) => verdict === "correct");
  const others = answers.filter(({ verdict }) => verdict !== "correct");
  return (
    <div className="mt-5">
      <ul className="flex flex-wrap gap-1.5" aria-hidden>
        {answers.map(({ question, verdict }) => {
          const { icon: Icon, color } = LOOKS[verdict];
          return (
            <li key={question}>
              <Icon className={`size-6 ${color}`} />
            </li>
          );
        })}
      </ul>
      {others.length > 0 && <List answers={others} says={says} />}
      {right.length > 0 && (
        <details className="mt-3">
          <summary className="min-h-8 cursor-pointer font-semibold">{text.rightOnes(right.length)}</summary>
          <List answers={right} says={says} />
        </details>
      )}
    </div>
  );
}

function List({ answers, says }: { answers: readonly StudyVerdict[]; says: readonly string[] }): ReactNode {
  return (
    <ol className="mt-3 divide-y divide-rule border-y border-rule">
      {answers.map((answer) => (
        <li key={answer.question} className="py-3">
          <Verdict answer={answer} why={saidAbout(answer.question, says) ?? answer.feedback} />
        </li>
      ))}
    </ol>
  );
}

function Verdict({ answer, why }: { answer: StudyVerdict; why: string }): ReactNode {
  const { icon: Icon, color } = LOOKS[answer.verdict];
  return (
    <div className="flex gap-3">
      <Icon aria-hidden className={`mt-1 size-5 shrink-0 ${color}`} />
      <div className="min-w-0">
        <p>
          <span className="sr-only">{text.verdicts[answer.verdict]}: </span>
          <Marked text={answer.prompt} className="font-semibold" />
        </p>
        {answer.verdict !== "correct" && (
          <dl className="grid grid-cols-[auto_1fr] gap-x-3 text-base">
            <dt className="text-ink-soft">{text.yours}</dt>
            <dd>{answer.actual === null || answer.actual === "" ? text.nothing : answer.actual}</dd>
            {answer.expected !== null && (
              <>
                <dt className="text-ink-soft">{text.expected}</dt>
                <dd className="font-semibold">{answer.expected}</dd>
              </>
            )}
          </dl>
        )}
        {why !== "" && <StudyText text={why} className="mt-1 max-w-prose text-base text-ink-soft" />}
      </div>
    </div>
  );
}
