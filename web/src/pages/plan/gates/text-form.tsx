/** A text to write or to change. */

import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import { Markdown } from "../../../ui/markdown/markdown";
import { useDraft, useGateDrafts } from "./gate-drafts";
import type { FormProps } from "./gate-view";
import type { FreeText } from "./interaction";

const text = planStrings.gates;

export function TextForm({ wanted, draftKey, isSending, onReply }: FormProps & { wanted: FreeText }): ReactNode {
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
