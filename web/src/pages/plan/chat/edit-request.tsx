/** A request that is said differently: it is asked in a branch, and what was said before stays. */

import { type KeyboardEvent, type ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import type { PlanRun } from "../../../wire/generated";
import { useBranch } from "../actions";
import { useAddress } from "../address";
import { useEdits } from "./branching";
import { awaitNext } from "./focus";

const text = planStrings.branches;

function editId({ id }: PlanRun): string {
  return `plan-edit-${id}`;
}

/** Writes go into it, and all of it is in sight. */
export function focusEdit(run: PlanRun): void {
  requestAnimationFrame(() => {
    const words = document.getElementById(editId(run));
    words?.focus({ preventScroll: true });
    words?.closest("form")?.scrollIntoView({ block: "nearest" });
  });
}

interface EditRequestProps {
  run: PlanRun;
  onCancelled: () => void;
}

export function EditRequest({ run, onCancelled }: EditRequestProps): ReactNode {
  const id = editId(run);
  const words = useEdits(({ edits }) => edits[run.id]) ?? "";
  const { change, drop } = useEdits.getState();
  const { openSession } = useAddress();
  const branch = useBranch(({ session }) => {
    drop(run.id);
    openSession(session);
  });
  const canSend = words.trim() !== "" && !branch.isPending;
  const send = (): void => {
    if (!canSend) return;
    awaitNext();
    branch.mutate({ run: run.id, input: words.trim() });
  };
  const cancel = (): void => {
    drop(run.id);
    onCancelled();
  };
  const sendByKey = (event: KeyboardEvent): void => {
    if (event.nativeEvent.isComposing) return;
    if (event.key === "Escape") cancel();
    else if (event.key === "Enter" && !event.shiftKey) send();
    else return;
    event.preventDefault();
  };
  return (
    <form
      className="ml-auto w-full scroll-my-4 rounded-xl rounded-br-sm border border-edge bg-card focus-within:border-accent max-lg:scroll-mb-24 sm:max-w-[85%]"
      onSubmit={(event) => {
        event.preventDefault();
        send();
      }}
    >
      <label htmlFor={id} className="sr-only">
        {text.editLabel}
      </label>
      <textarea
        id={id}
        rows={2}
        value={words}
        aria-describedby={branch.isError ? `${id}-error` : `${id}-hint`}
        aria-invalid={branch.isError}
        onChange={(event) => {
          change(run.id, event.target.value);
          if (branch.isError) branch.reset();
        }}
        onKeyDown={sendByKey}
        className="block field-sizing-content max-h-80 min-h-16 w-full resize-none rounded-t-xl bg-transparent px-4 pt-3 pb-1"
      />
      {branch.isError && (
        <div className="px-4 pb-2">
          <FormError id={`${id}-error`} error={branch.error} />
        </div>
      )}
      <div className="flex flex-wrap items-center justify-end gap-x-3 gap-y-2 px-3 pt-2.5 pb-3">
        <p id={`${id}-hint`} className="mr-auto min-w-48 flex-1 px-1 text-base text-ink-soft">
          {text.editHint}
        </p>
        <Button look="quiet" onClick={cancel}>
          {text.editCancel}
        </Button>
        <Button type="submit" disabled={!canSend}>
          {branch.isPending ? planStrings.composer.sending : text.editSend}
        </Button>
      </div>
    </form>
  );
}
