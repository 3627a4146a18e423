/** Alternatives side by side: the text as it is, and the others. */

import { type ReactNode, useState } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import { Markdown } from "../../../ui/markdown/markdown";
import { OptionButtons } from "./choices-form";
import type { FormProps } from "./gate-view";
import { type Choices, chosen, type Option } from "./interaction";
import { type Alternative, readable } from "./reading";
import { WordDiff } from "./word-diff";

const text = planStrings.gates.alternatives;
const KEEP = "keep";

interface AlternativesFormProps extends FormProps {
  choices: Choices;
  /** The text that stands now, then the others. */
  texts: Alternative[];
}

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
        {text.mark}
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
      <h4 className="font-semibold text-door-ink">{isCurrent ? text.current : alternative.title}</h4>
      <div className="mt-2 mb-4 text-base">
        {before === null ? <Markdown text={alternative.text} deeper={3} /> : <WordDiff before={readable(before)} after={readable(alternative.text)} />}
      </div>
      {option !== undefined && (
        <Button
          look={isCurrent ? "quiet" : "primary"}
          className="mt-auto self-start"
          aria-label={isCurrent ? option.label : `${text.choose}: ${option.label}`}
          disabled={isSending}
          onClick={() => {
            onReply(chosen(option.id));
          }}
        >
          {isCurrent ? option.label : text.choose}
        </Button>
      )}
    </>
  );
}
