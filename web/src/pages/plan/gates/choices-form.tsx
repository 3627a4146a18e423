/** One of several answers, each a button; some ask for words first. */

import { type ReactNode, useState } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import { Markdown } from "../../../ui/markdown/markdown";
import { useDraft, useGateDrafts } from "./gate-drafts";
import type { FormProps } from "./gate-view";
import { type Choices, chosen, type Option } from "./interaction";
import { readKnown } from "./reading";
import { Words } from "./words";

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

export function OptionButtons({ options, isQuiet = false, draftKey, isSending, onReply }: OptionButtonsProps): ReactNode {
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
