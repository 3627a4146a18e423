/** The words that an answer asks for. */

import { type ReactNode, useEffect, useId, useRef } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";

const text = planStrings.gates;

interface WordsProps {
  label: string;
  words: string;
  isSending: boolean;
  onChange: (words: string) => void;
  onCancel: () => void;
  onSend: () => void;
}

export function Words({ label, words, isSending, onChange, onCancel, onSend }: WordsProps): ReactNode {
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
