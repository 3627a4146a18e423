/** The worksheet: its questions, what is saved, and handing it in. */

import { CircleCheck } from "lucide-react";
import { type ReactNode, type SyntheticEvent, useRef } from "react";

import { Page } from "../../layout/page";
import { answerStrings as text } from "../../strings-answer";
import { Button } from "../../ui/button";
import { FormError } from "../../ui/form-error";
import { Marked } from "../../ui/marked";
import { Section } from "../../ui/section";
import { formatMoment } from "../../ui/when";
import type { AnswerSheet } from "../../wire/generated";
import { type Difference, isAnswered } from "./merging";
import { Question } from "./question";
import { type Saved, useSaving } from "./use-saving";

const STATES: Record<Saved, string> = { saved: text.saved, unsaved: text.unsaved, saving: text.saving, failed: text.saveFailed };

export function Sheet({ token, first }: { token: string; first: AnswerSheet }): ReactNode {
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
