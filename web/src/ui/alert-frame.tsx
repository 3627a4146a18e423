/** The frame of a question that has to be answered first; Escape is no. */

import { createContext, type ReactNode, use } from "react";

import { Button } from "./button";
import { Modal } from "./modal";

interface AlertFrameProps {
  title: string;
  description: string;
  onCancel: () => void;
  /** For what has to be read first, such as the changes of a file. */
  isWide?: boolean;
  /** What is asked, and the answers. */
  children: ReactNode;
}

const Cancelling = createContext<() => void>(() => undefined);

export function AlertFrame({ title, description, onCancel, isWide = false, children }: AlertFrameProps): ReactNode {
  const width = isWide ? "w-[min(56rem,calc(100vw-1.5rem))]" : "w-[min(36rem,calc(100vw-2rem))]";
  return (
    <Cancelling value={onCancel}>
      <Modal
        role="alertdialog"
        title={title}
        description={description}
        onClose={onCancel}
        headClass=""
        className={`absolute top-1/2 left-1/2 flex max-h-[88dvh] -translate-x-1/2 -translate-y-1/2 flex-col gap-4 overflow-auto p-5 sm:p-6 ${width}`}
      >
        {children}
      </Modal>
    </Cancelling>
  );
}

/** The answers: no first, which has the focus, and yes. */
export function AlertAnswers({ cancel, children }: { cancel: string; children: ReactNode }): ReactNode {
  const onCancel = use(Cancelling);
  return (
    <div className="flex flex-wrap justify-end gap-2">
      <Button look="quiet" data-first onClick={onCancel}>
        {cancel}
      </Button>
      {children}
    </div>
  );
}
