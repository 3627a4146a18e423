/** The frame of a question that has to be answered first: it traps the focus, and Escape is no. */

import { clsx } from "clsx";
import { AlertDialog } from "radix-ui";
import type { ReactNode } from "react";

import { Button } from "./button";

interface AlertFrameProps {
  title: string;
  description: string;
  onCancel: () => void;
  /** For what has to be read first, such as the changes of a file. */
  isWide?: boolean;
  /** What is asked, and the answers. */
  children: ReactNode;
}

export function AlertFrame({ title, description, onCancel, isWide = false, children }: AlertFrameProps): ReactNode {
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
          className={clsx(
            "fixed top-1/2 left-1/2 z-50 flex max-h-[88dvh] -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-auto",
            "rounded-xl border border-line bg-card p-5 shadow-2xl sm:p-6",
            isWide ? "w-[min(56rem,calc(100vw-1.5rem))]" : "w-[min(36rem,calc(100vw-2rem))]",
          )}
        >
          <div>
            <AlertDialog.Title className="text-xl [overflow-wrap:anywhere]">{title}</AlertDialog.Title>
            <AlertDialog.Description className="mt-2 text-ink-soft">{description}</AlertDialog.Description>
          </div>
          {children}
        </AlertDialog.Content>
      </AlertDialog.Portal>
    </AlertDialog.Root>
  );
}

/** The answers: no first, which has the focus, and yes. */
export function AlertAnswers({ cancel, children }: { cancel: string; children: ReactNode }): ReactNode {
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <AlertDialog.Cancel asChild>
        <Button look="quiet">{cancel}</Button>
      </AlertDialog.Cancel>
      {children}
    </div>
  );
}
