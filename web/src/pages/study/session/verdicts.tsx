/** A whole exercise question by question: what was not right in full, what was right to unfold. */

import { CircleCheck, CircleDashed, CircleOff, CircleX } from "lucide-react";
import type { ReactNode } from "react";

import { sessionStrings } from "../../../strings-study-session";
import { Marked } from "../../../ui/marked";
import type { StudyVerdict } from "../../../wire/generated";
import { saidAbout } from "./flow";
import { StudyText } from "./study-text";

const text = sessionStrings.feedback;
const LOOKS = {
  correct: { icon: CircleCheck, color: "text-ok" },
  partial: { icon: CircleDashed, color: "text-warn" },
  incorrect: { icon: CircleX, color: "text-fail" },
  unanswered: { icon: CircleOff, color: "text-ink-soft" },
};

export function Verdicts({ answers, says }: { answers: readonly StudyVerdict[]; says: readonly string[] }): ReactNode {
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
