/** Asks before something that cannot be taken back; the safe answer has the focus. */

import type { ReactNode } from "react";

import { AlertAnswers, AlertFrame } from "./alert-frame";
import { Button } from "./button";
import { FormError } from "./form-error";

interface ConfirmDialogProps {
  title: string;
  description: string;
  confirm: string;
  cancel: string;
  /** While this is so, the answer yes is not possible. */
  busy: boolean;
  error: Error | null;
  onConfirm: () => void;
  onCancel: () => void;
  children?: ReactNode;
}

export function ConfirmDialog(props: ConfirmDialogProps): ReactNode {
  const { title, description, confirm, cancel, busy, error, onConfirm, onCancel, children } = props;
  return (
    <AlertFrame title={title} description={description} onCancel={onCancel}>
      {children}
      {error !== null && <FormError id="confirm-error" error={error} />}
      <AlertAnswers cancel={cancel}>
        <Button look="danger" disabled={busy} onClick={onConfirm}>
          {confirm}
        </Button>
      </AlertAnswers>
    </AlertFrame>
  );
}
