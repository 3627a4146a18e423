/** Asks why before a guard goes to another stage: the answer is kept with the step. */

import { AlertDialog } from "radix-ui";
import { type ReactNode, useState } from "react";

import { guardsStrings } from "../../../strings-guard-guards";
import { notify } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import { type Move, useMove } from "./hooks";

const text = guardsStrings.acts;

interface MoveDialogProps {
  id: string;
  move: Move;
  onClose: () => void;
}

export function MoveDialog({ id, move, onClose }: MoveDialogProps): ReactNode {
  const words = text[move];
  const [why, setWhy] = useState("");
  const [force, setForce] = useState(false);
  const moving = useMove(id, move, () => {
    notify(words.done(id));
    onClose();
  });
  return (
    <AlertDialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 bg-[rgb(10_20_16/0.55)]" />
        <AlertDialog.Content
          className={
            "fixed top-1/2 left-1/2 z-50 max-h-[86dvh] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 " +
            "overflow-auto rounded-xl border border-line bg-card p-6 shadow-2xl"
          }
        >
          <AlertDialog.Title className="text-xl [overflow-wrap:anywhere]">{words.title(id)}</AlertDialog.Title>
          <AlertDialog.Description className="mt-2 text-ink-soft">{words.description}</AlertDialog.Description>
          <form
            className="mt-4 flex flex-col gap-4"
            onSubmit={(event) => {
              event.preventDefault();
              moving.mutate({ why: why.trim(), force });
            }}
          >
            <div>
              <label htmlFor="move-why" className="font-semibold">
                {text.why}
              </label>
              <textarea
                id="move-why"
                value={why}
                rows={3}
                required
                maxLength={2000}
                aria-describedby="move-why-hint"
                onChange={(event) => {
                  setWhy(event.target.value);
                }}
                className="mt-1.5 w-full rounded-md border border-edge bg-paper p-3"
              />
              <p id="move-why-hint" className="text-base text-ink-soft">
                {text.whyHint}
              </p>
            </div>
            {move !== "rollback" && (
              <div className="flex gap-3">
                <input
                  id="move-force"
                  type="checkbox"
                  checked={force}
                  aria-describedby="move-force-hint"
                  onChange={(event) => {
                    setForce(event.target.checked);
                  }}
                  className="mt-1 size-5 shrink-0 accent-accent"
                />
                <div>
                  <label htmlFor="move-force" className="font-semibold">
                    {text.force}
                  </label>
                  <p id="move-force-hint" className="text-base text-ink-soft">
                    {text.forceHint}
                  </p>
                </div>
              </div>
            )}
            {moving.isError && <FormError id="move-error" error={moving.error} />}
            <div className="flex flex-wrap justify-end gap-2">
              <AlertDialog.Cancel asChild>
                <Button look="quiet">{text.cancel}</Button>
              </AlertDialog.Cancel>
              <Button type="submit" look={move === "rollback" ? "danger" : "primary"} disabled={why.trim() === "" || moving.isPending}>
                {moving.isPending ? text.working : words.confirm}
              </Button>
            </div>
          </form>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
