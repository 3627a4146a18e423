/** Says a memory better: the new text replaces the old one, which stays in the log. */

import { type ReactNode, useEffect, useRef, useState } from "react";

import { strings } from "../../../strings";
import { notify } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import { TextArea } from "../../../ui/field";
import type { MemoryShown } from "../../../wire/generated";
import { useEdit } from "../hooks";

const text = strings.memory.edit;

interface EditFormProps {
  memory: MemoryShown;
  onCancel: () => void;
  onSaved: (id: string) => void;
}

export function EditForm({ memory, onCancel, onSaved }: EditFormProps): ReactNode {
  const [words, setWords] = useState(memory.text);
  const edit = useEdit(memory.id);
  const field = useRef<HTMLTextAreaElement>(null);
  useEffect(() => {
    field.current?.focus();
  }, []);
  const isSame = words.trim() === "" || words === memory.text;
  return (
    <form
      onSubmit={(event) => {
        event.preventDefault();
        edit.mutate(words, {
          onSuccess: ({ id, status, reason }) => {
            notify(status === "stored" ? text.saved : (reason ?? text.same));
            onSaved(id ?? memory.id);
          },
        });
      }}
    >
      <TextArea label={text.label} hint={text.hint} error={edit.error} ref={field} rows={5} value={words} onChange={setWords} />
      <div className="mt-3 flex flex-wrap gap-2">
        <Button type="submit" disabled={isSame || edit.isPending}>
          {edit.isPending ? text.saving : text.save}
        </Button>
        <Button look="quiet" onClick={onCancel}>
          {text.cancel}
        </Button>
      </div>
    </form>
  );
}
