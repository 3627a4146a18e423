/** A question of a run: a form as long as it waits, then what was answered. */

import { Check } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";

import { Button } from "../../../ui/button";
import { RadioPill } from "../../../ui/forms/choice";
import { FormError } from "../../../ui/forms/field";
import { Markdown } from "../../../ui/markdown";
import { notifyError } from "../../../ui/toasts";
import type { PlanGate, PlanRun, PlanSaid } from "../../../wire/generated";
import { ApiError } from "../../../wire/http";
import { gatePart } from "../chat/find-bar";
import { awaitNext, useLanding } from "../chat/focus";
import { useAnswer } from "../hooks";
import { planStrings } from "../strings";
import {
  type Alternative,
  answersOf,
  type Choices,
  chosen,
  draftKey,
  type FreeText,
  type Interaction,
  type Option,
  type Questions,
  readable,
  readAlternatives,
  readInteraction,
  readKnown,
  readReply,
  type Reply,
  shortAnswer,
  useDraft,
  useGateDrafts,
} from "./interaction";
import { SectionsForm, WordDiff } from "./sections-form";

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

// One of several answers, each a button; some ask for words first.

function ChoicesForm({ choices, ...form }: FormProps & { choices: Choices }): ReactNode {
  return (
    <>
      <Surfaced text={choices.text} />
      <OptionButtons options={choices.options} {...form} />
    </>
  );
}

/** What is known, in groups; any other text as it is. */
function Surfaced({ text: words }: { text: string }): ReactNode {
  const { groups, rest } = readKnown(words);
  if (groups.length === 0) return words === "" ? null : <Markdown text={words} deeper={3} className="mt-2" />;
  return (
    <div className="mt-3 flex flex-col gap-4">
      {groups.map(({ heading, items }) => (
        <section key={heading}>
          <h4 className="text-base font-semibold text-door-ink">{heading}</h4>
          <Markdown text={items.map((item) => `- ${item}`).join("\n")} className="mt-1 text-base" />
        </section>
      ))}
      {rest.map((block, place) => (
        <Markdown key={place} text={block} />
      ))}
    </div>
  );
}

interface OptionButtonsProps extends FormProps {
  options: Option[];
  /** Where the answers that matter most are given elsewhere. */
  isQuiet?: boolean;
}

function OptionButtons({ options, isQuiet = false, draftKey, isSending, onReply }: OptionButtonsProps): ReactNode {
  const draft = useDraft(draftKey).picked[""];
  const { pick } = useGateDrafts.getState();
  const [isWriting, setIsWriting] = useState(draft !== undefined);
  const written = options.find(({ id, wantsText }) => wantsText && id === draft?.option);
  if (isWriting && written !== undefined && draft !== undefined) {
    return (
      <Words
        label={planStrings.gates.what}
        words={draft.text}
        isSending={isSending}
        onChange={(words) => {
          pick(draftKey, "", { option: written.id, text: words });
        }}
        onCancel={() => {
          setIsWriting(false);
        }}
        onSend={() => {
          onReply(chosen(written.id, draft.text));
        }}
      />
    );
  }
  return (
    <div className="mt-4 flex flex-wrap gap-2">
      {options.map(({ id, label, wantsText }, place) => (
        <Button
          key={id}
          look={place === 0 && !isQuiet ? "primary" : "quiet"}
          className="text-left"
          disabled={isSending}
          onClick={() => {
            if (!wantsText) {
              onReply(chosen(id));
              return;
            }
            pick(draftKey, "", { option: id, text: draft?.option === id ? draft.text : "" });
            setIsWriting(true);
          }}
        >
          {label}
        </Button>
      ))}
    </div>
  );
}

interface WordsProps {
  label: string;
  words: string;
  isSending: boolean;
  onChange: (words: string) => void;
  onCancel: () => void;
  onSend: () => void;
}

/** The words that an answer asks for. */
function Words({ label, words, isSending, onChange, onCancel, onSend }: WordsProps): ReactNode {
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  return (
    <form
      className="mt-4"
      onSubmit={(event) => {
        event.preventDefault();
        onSend();
      }}
    >
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <textarea
        id={id}
        ref={field}
        rows={2}
        value={words}
        readOnly={isSending}
        onChange={(event) => {
          onChange(event.target.value);
        }}
        className="mt-1 block field-sizing-content min-h-18 w-full rounded-md border border-edge bg-paper px-3 py-2"
      />
      <div className="mt-2 flex flex-wrap gap-2">
        <Button type="submit" disabled={isSending || words.trim() === ""}>
          {isSending ? text.sending : text.goOn}
        </Button>
        <Button look="quiet" disabled={isSending} onClick={onCancel}>
          {text.cancel}
        </Button>
      </div>
    </form>
  );
}

const alternativesText = planStrings.gates.alternatives;
const KEEP = "keep";

interface AlternativesFormProps extends FormProps {
  choices: Choices;
  /** The text that stands now, then the others. */
  texts: Alternative[];
}

/** Alternatives side by side: the text as it is, and the others. */
function AlternativesForm({ choices, texts, ...form }: AlternativesFormProps): ReactNode {
  const [isMarked, setIsMarked] = useState(false);
  const [current, ...others] = texts;
  const byColumn = [choices.options.find(({ id }) => id === KEEP), ...others.map((_, place) => choices.options[place])];
  const rest = choices.options.filter((option) => !byColumn.includes(option));
  return (
    <>
      <label className="mt-2 flex min-h-10 cursor-pointer items-center gap-2 text-base">
        <input
          type="checkbox"
          checked={isMarked}
          onChange={(event) => {
            setIsMarked(event.target.checked);
          }}
          className="size-4.5 accent-accent"
        />
        {alternativesText.mark}
      </label>
      <ul className="mt-2 grid grid-cols-[repeat(auto-fit,minmax(min(13rem,100%),1fr))] gap-4">
        {texts.map((each, place) => (
          <li key={place} className="flex flex-col rounded-lg border border-line bg-paper px-4 py-3">
            <Column
              alternative={each}
              before={isMarked && place > 0 ? (current?.text ?? null) : null}
              option={byColumn[place]}
              isCurrent={place === 0}
              {...form}
            />
          </li>
        ))}
      </ul>
      {rest.length > 0 && <OptionButtons options={rest} isQuiet {...form} />}
    </>
  );
}

interface ColumnProps extends FormProps {
  alternative: Alternative;
  /** The text to mark differences from. */
  before: string | null;
  option: Option | undefined;
  isCurrent: boolean;
}

function Column({ alternative, before, option, isCurrent, isSending, onReply }: ColumnProps): ReactNode {
  return (
    <>
      <h4 className="font-semibold text-door-ink">{isCurrent ? alternativesText.current : alternative.title}</h4>
      <div className="mt-2 mb-4 text-base">
        {before === null ? <Markdown text={alternative.text} deeper={3} /> : <WordDiff before={readable(before)} after={readable(alternative.text)} />}
      </div>
      {option !== undefined && (
        <Button
          look={isCurrent ? "quiet" : "primary"}
          className="mt-auto self-start"
          aria-label={isCurrent ? option.label : `${alternativesText.choose}: ${option.label}`}
          disabled={isSending}
          onClick={() => {
            onReply(chosen(option.id));
          }}
        >
          {isCurrent ? option.label : alternativesText.choose}
        </Button>
      )}
    </>
  );
}
