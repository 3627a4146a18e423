/** An answer in words: Enter hands it in. */

import { SendHorizontal } from "lucide-react";
import { type ReactNode, useEffect, useId, useRef, useState } from "react";

import { sessionStrings as text } from "../../../strings-study-session";
import { Button } from "../../../ui/button";
import { sendOnEnter } from "../../../ui/enter";
import { useDraft } from "./drafts";
import { subjectOf } from "./flow";
import type { Player } from "./use-session";

interface AnswerTextProps {
  player: Player;
  label?: string;
  submit?: string;
  hint?: string;
  /** For code: letters of one width, no spelling. */
  isCode?: boolean;
}

export function AnswerText({ player, label = text.answer, submit = text.send, hint = text.sendHint, isCode = false }: AnswerTextProps): ReactNode {
  const { act, isBusy, talk } = player;
  const [words, setWords] = useDraft(subjectOf(player.step));
  const [isMissing, setIsMissing] = useState(false);
  const id = useId();
  const field = useRef<HTMLTextAreaElement>(null);
  // The field is where the next answer goes, at first and after every reply.
  useEffect(() => {
    field.current?.focus({ preventScroll: talk.length === 0 });
  }, [talk.length]);
  const send = (): void => {
    if (isBusy) return;
    if (words.trim() === "") {
      setIsMissing(true);
      return;
    }
    act({ act: "answer", text: words.trim() });
  };
  return (
    <form
      className="mt-6"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor={id} className="font-semibold">
        {label}
      </label>
      <div className="mt-1.5 flex items-end gap-2 max-sm:flex-col max-sm:items-stretch">
        <textarea
          ref={field}
          id={id}
          rows={isCode ? 2 : 1}
          value={words}
          readOnly={isBusy}
          aria-describedby={`${id}-hint`}
          aria-invalid={isMissing}
          spellCheck={!isCode}
          autoCapitalize={isCode ? "off" : undefined}
          autoComplete="off"
          onChange={(event) => {
            setWords(event.target.value);
            setIsMissing(false);
          }}
          onKeyDown={(event) => {
          sendOnEnter(event, send);
        }}
          className={`block field-sizing-content max-h-72 min-h-12 flex-1 resize-none rounded-lg border border-edge bg-paper px-4 py-2.5 text-lg ${isCode ? "font-mono text-base" : ""}`}
        />
        <Button type="submit" className="min-h-12 px-5" aria-disabled={isBusy}>
          <SendHorizontal aria-hidden className="size-4" />
          {isBusy ? text.working : submit}
        </Button>
      </div>
      <p id={`${id}-hint`} className="mt-1.5 text-base text-ink-soft">
        {isMissing ? <span className="font-semibold text-fail">{text.empty}</span> : hint}
      </p>
    </form>
  );
}
