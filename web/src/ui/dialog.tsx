/** A dialog that one looks something up in: it closes as easily as it opens. */

import { X } from "lucide-react";
import { createContext, type ReactNode, use, useEffectEvent, useId, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

import { strings } from "../strings";
import { Button } from "./button";
import { FormError } from "./forms/field";

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

interface ModalProps {
  role: "dialog" | "alertdialog";
  title: string;
  description: string;
  /** Escape, for a dialog also a click beside it. */
  onClose: () => void;
  /** Called when it is gone and the focus is back where the browser knew it to be. */
  onClosed?: () => void;
  /** For the title and the description. */
  headClass: string;
  className: string;
  children: ReactNode;
}

/**
 * What has to be dealt with before the page: the browser's own dialog. The rest cannot be reached meanwhile, the
 * focus stays inside and goes back afterwards, and Escape closes; all of that without touching the page behind.
 */
function Modal({ role, title, description, onClose, onClosed, headClass, className, children }: ModalProps): ReactNode {
  const dialog = useRef<HTMLDialogElement>(null);
  const id = useId();
  const closed = useEffectEvent(() => onClosed?.());
  useLayoutEffect(() => {
    const shown = dialog.current;
    // React keeps this attribute to itself; the dialog would take the first thing that can have the focus.
    const first = shown?.querySelector<HTMLElement>("[data-first]");
    first?.setAttribute("autofocus", "");
    shown?.showModal();
    return () => {
      shown?.close();
      queueMicrotask(closed);
    };
  }, []);
  return createPortal(
    // Escape and the buttons inside do the same as a click beside it.
    // eslint-disable-next-line jsx-a11y/no-noninteractive-element-interactions, jsx-a11y/click-events-have-key-events
    <dialog
      ref={dialog}
      role={role}
      aria-labelledby={`${id}-title`}
      aria-describedby={`${id}-about`}
      className="fixed inset-0 m-0 size-full max-h-none max-w-none overflow-hidden overscroll-contain bg-[rgb(10_20_16/0.55)] text-ink backdrop:bg-transparent"
      onCancel={(event) => {
        event.preventDefault();
        onClose();
      }}
      onClick={({ target, currentTarget }) => {
        if (role === "dialog" && target === currentTarget) onClose();
      }}
    >
      <div className={`rounded-xl border border-line bg-card shadow-2xl ${className}`}>
        <div className={headClass}>
          <h2 id={`${id}-title`} className="text-xl [overflow-wrap:anywhere]">
            {title}
          </h2>
          <p id={`${id}-about`} className="mt-1 text-ink-soft">
            {description}
          </p>
        </div>
        {children}
      </div>
    </dialog>,
    document.body,
  );
}

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

/** The frame of a question that has to be answered first; Escape is no. */
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

/** Asks before something that cannot be taken back; the safe answer has the focus. */
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
