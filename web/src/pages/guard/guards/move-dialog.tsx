/** Asks why before a guard goes to another stage: the answer is kept with the step. */

import { type ReactNode, useState } from "react";

import { guardsStrings } from "../../../strings-guard-guards";
import { notify } from "../../../toasts/toasts";
import { AlertAnswers, AlertFrame } from "../../../ui/alert-frame";
import { Button } from "../../../ui/button";
import { TextArea, Tick } from "../../../ui/field";
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
    <AlertFrame title={words.title(id)} description={words.description} onCancel={onClose}>
      <form
        className="flex flex-col gap-4"
        onSubmit={(event) => {
          event.preventDefault();
          moving.mutate({ why: why.trim(), force });
        }}
      >
        <TextArea label={text.why} hint={text.whyHint} rows={3} required maxLength={2000} value={why} onChange={setWhy} />
        {move !== "rollback" && <Tick label={text.force} hint={text.forceHint} isTicked={force} onTick={setForce} />}
        {moving.isError && <FormError id="move-error" error={moving.error} />}
        <AlertAnswers cancel={text.cancel}>
          <Button type="submit" look={move === "rollback" ? "danger" : "primary"} disabled={why.trim() === "" || moving.isPending}>
            {moving.isPending ? text.working : words.confirm}
          </Button>
        </AlertAnswers>
      </form>
    </AlertFrame>
  );
}
