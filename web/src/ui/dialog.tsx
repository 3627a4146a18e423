/** A modal dialog on Radix: it traps focus, closes on Escape and gives the focus back. */

import { X } from "lucide-react";
import { Dialog as Primitive } from "radix-ui";
import type { ReactNode } from "react";

import { strings } from "../strings";

interface DialogProps {
  title: string;
  description: string;
  onClose: () => void;
  /** Called when the dialog is gone: Radix knows where to put the focus only for dialogs with a trigger. */
  onClosed: () => void;
  /** The palette's input says what it is; its title is for screen readers only. */
  titleHidden?: boolean;
  children: ReactNode;
}

export function Dialog({ title, description, onClose, onClosed, titleHidden = false, children }: DialogProps): ReactNode {
  return (
    <Primitive.Root
      open
      onOpenChange={(open) => {
        if (!open) onClose();
      }}
    >
      <Primitive.Portal>
        <Primitive.Overlay className="fixed inset-0 z-40 bg-[rgb(10_20_16/0.55)]" />
        <Primitive.Content
          onCloseAutoFocus={(event) => {
            event.preventDefault();
            onClosed();
          }}
          className={
            "fixed top-[12vh] left-1/2 z-50 flex max-h-[76vh] w-[min(36rem,calc(100vw-2rem))] -translate-x-1/2 flex-col " +
            "rounded-xl border border-line bg-card shadow-2xl"
          }
        >
          <div className={titleHidden ? "sr-only" : "px-6 pt-5 pr-16"}>
            <Primitive.Title className="text-xl">{title}</Primitive.Title>
            <Primitive.Description className="mt-1 text-ink-soft">{description}</Primitive.Description>
          </div>
          <div className="flex min-h-0 flex-col overflow-auto">{children}</div>
          <Primitive.Close
            aria-label={strings.close}
            className="absolute top-2.5 right-2.5 grid size-11 place-items-center rounded-md text-ink-soft hover:bg-line hover:text-ink"
          >
            <X aria-hidden className="size-5" />
          </Primitive.Close>
        </Primitive.Content>
      </Primitive.Portal>
    </Primitive.Root>
  );
}
