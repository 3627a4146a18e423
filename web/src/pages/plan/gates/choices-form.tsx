/** One of several answers, each a button; some ask for words first. */

import { type ReactNode, useEffect, useId, useRef, useState } from "react";

import { Button } from "../../../ui/button";
import { Markdown } from "../../../ui/markdown";
import { planStrings } from "../strings";
import { useDraft, useGateDrafts } from "./gate-drafts";
import type { FormProps } from "./gate-view";
import { type Choices, chosen, type Option } from "./interaction";
import { type Alternative, readable, readKnown } from "./reading";
import { WordDiff } from "./word-diff";

export function ChoicesForm({ choices, ...form }: FormProps & { choices: Choices }): ReactNode {
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

const text = planStrings.gates;

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
export function AlternativesForm({ choices, texts, ...form }: AlternativesFormProps): ReactNode {
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
