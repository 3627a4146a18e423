/**
 * What has to be dealt with before the page: the browser's own dialog. The rest cannot be reached meanwhile, the
 * focus stays inside and goes back afterwards, and Escape closes; all of that without touching the page behind.
 */

import { type ReactNode, useEffectEvent, useId, useLayoutEffect, useRef } from "react";
import { createPortal } from "react-dom";

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

export function Modal({ role, title, description, onClose, onClosed, headClass, className, children }: ModalProps): ReactNode {
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
