/** A dialog that one looks something up in: it closes as easily as it opens. */

import { X } from "lucide-react";
import type { ReactNode } from "react";

import { strings } from "../strings";
import { Modal } from "./modal";

interface DialogProps {
  title: string;
  description: string;
  onClose: () => void;
  /** Called when the dialog is gone. */
  onClosed: () => void;
  /** The palette's input says what it is; its title is for screen readers only. */
  titleHidden?: boolean;
  children: ReactNode;
}

export function Dialog({ title, description, onClose, onClosed, titleHidden = false, children }: DialogProps): ReactNode {
  return (
    <Modal
      role="dialog"
      title={title}
      description={description}
      onClose={onClose}
      onClosed={onClosed}
      headClass={titleHidden ? "sr-only" : "px-6 pt-5 pr-16"}
      className="relative mx-auto mt-[12vh] flex max-h-[76vh] w-[min(36rem,calc(100vw-2rem))] flex-col"
    >
      <div className="flex min-h-0 flex-col overflow-auto">{children}</div>
      <button
        type="button"
        data-first={titleHidden ? undefined : true}
        aria-label={strings.close}
        className="absolute top-2.5 right-2.5 grid size-11 place-items-center rounded-md text-ink-soft hover:bg-line hover:text-ink"
        onClick={onClose}
      >
        <X aria-hidden className="size-5" />
      </button>
    </Modal>
  );
}
