/** Deletes the open file; for a while that can be undone. */

import type { ReactNode } from "react";

import { planStrings } from "../../../strings-plan";
import { undoable } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import { FormError } from "../../../ui/form-error";
import type { PlanText } from "../../../wire/generated";
import { useDeleteFile } from "../actions";
import { useAddress } from "../address";
import { useFileDrafts } from "./file-drafts";

const text = planStrings.editor;

export function DeleteFile({ file }: { file: PlanText }): ReactNode {
  const { closeDocument } = useAddress();
  const remove = useDeleteFile(file.path, (undo) => {
    useFileDrafts.getState().drop(file.path);
    undoable(text.deleted(file.path), undo);
    closeDocument();
  });
  return (
    <>
      <Button
        look="quiet"
        className="ml-auto"
        disabled={remove.isPending}
        onClick={() => {
          remove.mutate(file);
        }}
      >
        {text.delete}
      </Button>
      {remove.isError && <FormError id="plan-delete-error" error={remove.error} />}
    </>
  );
}
