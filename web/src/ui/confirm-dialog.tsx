/** Asks before something that cannot be taken back; the safe answer has the focus. */

import { AlertDialog } from "radix-ui";
import type { ReactNode } from "react";

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
    <AlertDialog.Root
      open
      onOpenChange={(open) => {
        if (!open) onCancel();
      }}
    >
      <AlertDialog.Portal>
        <AlertDialog.Overlay className="fixed inset-0 z-50 bg-[rgb(10_20_16/0.55)]" />
        <AlertDialog.Content
          className={
            "fixed top-1/2 left-1/2 z-50 flex max-h-[86dvh] w-[min(34rem,calc(100vw-2rem))] -translate-x-1/2 -translate-y-1/2 " +
            "flex-col gap-4 overflow-auto rounded-xl border border-line bg-card p-6 shadow-2xl"
          }
        >
          <div>
            <AlertDialog.Title className="text-xl [overflow-wrap:anywhere]">{title}</AlertDialog.Title>
            <AlertDialog.Description className="mt-2 text-ink-soft">{description}</AlertDialog.Description>
          </div>
          {children}
          {error !== null && <FormError id="confirm-error" error={error} />}
          <div className="flex flex-wrap justify-end gap-2">
            <AlertDialog.Cancel asChild>
              <Button look="quiet">{cancel}</Button>
            </AlertDialog.Cancel>
            <Button look="danger" disabled={busy} onClick={onConfirm}>
              {confirm}
            </Button>
          </div>
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}
