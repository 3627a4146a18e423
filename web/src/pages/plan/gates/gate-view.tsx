/** A question of a run: a form as long as it waits, then what was answered. */

import { Check } from "lucide-react";
import { type ReactNode, useRef } from "react";

import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/forms/form-error";
import { RadioPill } from "../../../ui/forms/radio-pill";
import { Markdown } from "../../../ui/markdown";
import { notifyError } from "../../../ui/toasts";
import { ApiError } from "../../../wire/errors";
import type { PlanGate, PlanRun, PlanSaid } from "../../../wire/generated";
import { useAnswer } from "../actions";
import { gatePart } from "../chat/find";
import { awaitNext, useLanding } from "../chat/focus";
import { planStrings } from "../strings";
import { answersOf, shortAnswer } from "./answers";
import { AlternativesForm, ChoicesForm } from "./choices-form";
import { draftKey, useDraft, useGateDrafts } from "./gate-drafts";
import {
  type Choices,
  chosen,
  type FreeText,
  type Interaction,
  type Questions,
  readInteraction,
  readReply,
  type Reply,
} from "./interaction";
import { readAlternatives } from "./reading";
import { SectionsForm } from "./sections-form";

const text = planStrings.gates;

export const ADJUDICATION = "teacher-adjudication";
const CONFIDENCE = "confidence";

interface GateViewProps {
  run: PlanRun;
  gate: PlanGate;
}

export function GateView({ run, gate }: GateViewProps): ReactNode {
  const interaction = readInteraction(gate.interaction);
  if (interaction === null) return <p role="alert">{text.outdated}</p>;
  if (gate.reply !== null) return <Answered part={gatePart(gate)} interaction={interaction} reply={readReply(gate.reply)} />;
  if (run.state === "ended") return null;
  return <OpenGate run={run} gate={gate} interaction={interaction} />;
}

export interface FormProps {
  /** Under which the answer so far is kept. */
  draftKey: string;
  isSending: boolean;
  onReply: (reply: Reply) => void;
}

function OpenGate({ run, gate, interaction }: GateViewProps & { interaction: Interaction }): ReactNode {
  const heading = useRef<HTMLHeadingElement>(null);
  useLanding(heading, "question");
  const answer = useAnswer(gate);
  const key = draftKey(gate);
  const id = `plan-gate-${key}`;
  const form: FormProps = {
    draftKey: key,
    isSending: answer.isPending || answer.isSuccess,
    onReply: (reply) => {
      awaitNext();
      answer.mutate(reply, {
        onSuccess: () => {
          useGateDrafts.getState().drop(key);
        },
        onError: (error) => {
          // The question disappears with the answer that somebody else gave.
          if (error instanceof ApiError && error.status === 409) notifyError(text.late, error);
        },
      });
    },
  };
  return (
    <section
      data-open-gate
      aria-labelledby={id}
      className="scroll-mt-4 rounded-xl border border-l-4 border-line border-l-spine bg-card px-5 py-4 max-lg:scroll-mt-32"
    >
      <h3 id={id} ref={heading} tabIndex={-1} className="text-xl outline-none">
        {interaction.title}
      </h3>
      <GateForm run={run} gate={gate} interaction={interaction} form={form} />
      {answer.isError && <FormError id={`${id}-error`} error={answer.error} />}
    </section>
  );
}

interface GateFormProps {
  run: PlanRun;
  gate: PlanGate;
  interaction: Interaction;
  form: FormProps;
}

function GateForm({ run, gate, interaction, form }: GateFormProps): ReactNode {
  switch (interaction.kind) {
    case "questions":
      return <QuestionsForm questions={interaction} said={run.said} {...form} />;
    case "free_text":
      return <TextForm wanted={interaction} {...form} />;
    case "sections":
      return <SectionsForm sections={interaction} gate={gate} gates={run.gates} {...form} />;
    case "choices": {
      if (gate.hook === CONFIDENCE) return <ScaleForm choices={interaction} {...form} />;
      const texts = readAlternatives(interaction.text);
      if (texts.length > 1) return <AlternativesForm choices={interaction} texts={texts} {...form} />;
      return <ChoicesForm choices={interaction} {...form} />;
    }
  }
}

interface QuestionsFormProps extends FormProps {
  questions: Questions;
  said: PlanSaid[];
}

/** Questions to be answered in one's own words; an empty answer is an answer. */
function QuestionsForm({ questions: asked, said, draftKey, isSending, onReply }: QuestionsFormProps): ReactNode {
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

/** How sure one is, on a scale. */
function ScaleForm({ choices, draftKey, isSending, onReply }: FormProps & { choices: Choices }): ReactNode {
  const picked = useDraft(draftKey).picked[""]?.option;
  const { pick } = useGateDrafts.getState();
  return (
    <form
      className="mt-3"
      onSubmit={(event) => {
        event.preventDefault();
        if (picked !== undefined) onReply(chosen(picked));
      }}
    >
      {choices.text !== "" && <p className="text-ink-soft">{choices.text}</p>}
      <fieldset className="mt-2 flex flex-wrap gap-2" disabled={isSending}>
        <legend className="sr-only">{choices.title}</legend>
        {choices.options.map(({ id, label }) => (
          <RadioPill
            key={id}
            name={`scale-${draftKey}`}
            label={label}
            isChosen={picked === id}
            onChoose={() => {
              pick(draftKey, "", { option: id, text: "" });
            }}
          />
        ))}
      </fieldset>
      <Button type="submit" className="mt-4" disabled={picked === undefined || isSending}>
        {isSending ? text.sending : text.goOn}
      </Button>
    </form>
  );
}

/** A text to write or to change. */
function TextForm({ wanted, draftKey, isSending, onReply }: FormProps & { wanted: FreeText }): ReactNode {
  const { texts } = useDraft(draftKey);
  const { write } = useGateDrafts.getState();
  const words = texts[0] ?? wanted.initial;
  return (
    <form
      className="mt-3 flex flex-col gap-3"
      onSubmit={(event) => {
        event.preventDefault();
        onReply({ picked: {}, texts: [words] });
      }}
    >
      {wanted.text !== "" && <Markdown text={wanted.text} deeper={3} />}
      <textarea
        aria-label={text.yourText}
        rows={6}
        value={words}
        readOnly={isSending}
        onChange={(event) => {
          write(draftKey, 0, event.target.value);
        }}
        className="block w-full rounded-md border border-edge bg-paper px-3 py-2"
      />
      <Button type="submit" className="self-start" disabled={isSending}>
        {isSending ? text.sending : text.goOn}
      </Button>
    </form>
  );
}

interface AnsweredProps {
  /** As which part of the conversation it is found. */
  part: string;
  interaction: Interaction;
  reply: Reply & { auto: boolean };
}

/** A question that was answered: its answer in one line, the rest folded away. */
function Answered({ part, interaction, reply }: AnsweredProps): ReactNode {
  const rows = answersOf(interaction, reply);
  return (
    <details data-part={part} className="-my-1.5 text-base">
      <summary className="cursor-pointer hover:text-accent">
        <Check aria-hidden className="mr-1.5 inline size-4 text-ok" />
        {interaction.title}{" "}
        <span className="font-semibold">{shortAnswer(interaction, reply)}</span>
      </summary>
      <dl className="mt-2 mb-1 flex flex-col gap-2 border-l-2 border-rule pl-4">
        {reply.auto && <dt className="text-ink-soft">{text.auto}</dt>}
        {rows.map(([asked, answer], place) => (
          <div key={place}>
            <dt className="text-ink-soft">{asked}</dt>
            <dd className="whitespace-pre-wrap">{answer === "" ? text.empty : answer}</dd>
          </div>
        ))}
      </dl>
    </details>
  );
}
