/** Deletes the open file, once one is sure. */

import { type ReactNode, useState } from "react";

import { planStrings } from "../../../strings-plan";
import { notify } from "../../../toasts/toasts";
import { Button } from "../../../ui/button";
import type { PlanText } from "../../../wire/generated";
import { ConfirmDialog } from "../../../ui/confirm-dialog";
import { useDeleteFile } from "../actions";
import { useAddress } from "../address";
import { useFileDrafts } from "./file-drafts";

const text = planStrings.editor;

export function DeleteFile({ file }: { file: PlanText }): ReactNode {
  const [isAsking, setIsAsking] = useState(false);
  const { closeDocument } = useAddress();
  const remove = useDeleteFile(file.path, () => {
    useFileDrafts.getState().drop(file.path);
    notify(text.deleted(file.path));
    closeDocument();
  });
  return (
    <>
      <Button
        look="quiet"
        className="ml-auto"
        onClick={() => {
          setIsAsking(true);
        }}
      >
        {text.delete}
      </Button>
      {isAsking && (
        <ConfirmDialog
          title={text.deleteTitle(file.path)}
          description={text.deleteDescription}
          confirm={text.deleteConfirm}
          cancel={text.keep}
          busy={remove.isPending}
          error={remove.error}
          onCancel={() => {
            setIsAsking(false);
          }}
          onConfirm={() => {
            remove.mutate(file.version);
          }}
        />
      )}
    </>
  );
}
