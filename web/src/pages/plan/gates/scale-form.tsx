/** How sure one is, on a scale. */

import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import { useDraft, useGateDrafts } from "./gate-drafts";
import type { FormProps } from "./gate-view";
import { type Choices, chosen } from "./interaction";
import { RadioPill } from "../../../ui/radio-pill";

const text = planStrings.gates;

export function ScaleForm({ choices, draftKey, isSending, onReply }: FormProps & { choices: Choices }): ReactNode {
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
