/** Questions to be answered in one's own words; an empty answer is an answer. */

import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import type { PlanSaid } from "../../../wire/generated";
import { Markdown } from "../../../ui/markdown/markdown";
import { useDraft, useGateDrafts } from "./gate-drafts";
import type { FormProps } from "./gate-view";
import type { Questions } from "./interaction";

const text = planStrings.gates;

interface QuestionsFormProps extends FormProps {
  questions: Questions;
  said: PlanSaid[];
}

export function QuestionsForm({ questions: asked, said, draftKey, isSending, onReply }: QuestionsFormProps): ReactNode {
  const { texts } = useDraft(draftKey);
  const { write } = useGateDrafts.getState();
  return (
    <form
      className="mt-3 flex flex-col gap-4"
      onSubmit={(event) => {
        event.preventDefault();
        onReply({ picked: {}, texts: asked.questions.map((_, place) => texts[place] ?? "") });
      }}
    >
      <Intro text={asked.text} said={said} />
      {asked.questions.map((question, place) => {
        const id = `plan-question-${draftKey}-${place}`;
        return (
          <div key={place}>
            <label htmlFor={id}>{question}</label>
            <textarea
              id={id}
              rows={2}
              value={texts[place] ?? ""}
              readOnly={isSending}
              onChange={(event) => {
                write(draftKey, place, event.target.value);
              }}
              className="mt-1 block field-sizing-content min-h-18 w-full rounded-md border border-edge bg-paper px-3 py-2"
            />
          </div>
        );
      })}
      <Button type="submit" className="self-start" disabled={isSending}>
        {isSending ? text.sending : text.goOn}
      </Button>
    </form>
  );
}

/** What is said before the questions; a draft that stands above already is not shown twice. */
function Intro({ text: words, said }: { text: string; said: PlanSaid[] }): ReactNode {
  const shown = said.filter(({ role, text: spoken }) => role === "agent" && spoken.trim() !== "");
  const known = shown.find(({ text: spoken }) => words.includes(spoken.trim()));
  if (known === undefined) return words === "" ? null : <Markdown text={words} deeper={3} />;
  return <p className="text-ink-soft">{text.questionsHint}</p>;
}
