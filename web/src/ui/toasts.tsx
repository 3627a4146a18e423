/** Notices that come and go: what happened, and what to do about it. */

import { CircleAlert, CircleCheck, X } from "lucide-react";
import { Toast as Primitive } from "radix-ui";
import type { ReactNode } from "react";
import { create } from "zustand";

import { strings } from "../strings";
import { Button } from "./button";
import { Marked } from "./marked";
import { uiStrings } from "./strings";

interface ToastAction {
  name: string;
  /** How it is done otherwise, for those who hear the notice and cannot reach it in time. */
  how: string;
  run: () => void;
}

interface Toast {
  id: number;
  kind: "info" | "error";
  title: string;
  message: string | null;
  hint: string | null;
  action: ToastAction | null;
  /** It waits until it was read or dismissed. */
  stays: boolean;
}

interface ToastStore {
  toasts: Toast[];
  dismiss: (id: number) => void;
}

/** Older notices make room: a wall of them helps nobody. */
const MOST_SHOWN = 3;
const NOTHING = { message: null, hint: null, action: null, stays: false };

let lastId = 0;

export const useToasts = create<ToastStore>()((set) => ({
  toasts: [],
  dismiss: (id) => {
    set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
  },
}));

export function notify(title: string): void {
  add({ ...NOTHING, kind: "info", title });
}

/** Says something that calls for a step, and offers it until it is taken or dismissed. */
export function offer(title: string, action: ToastAction, message: string | null = null): void {
  add({ ...NOTHING, kind: "info", title, message, action, stays: true });
}

/** Says what was done, and offers to take it back: kinder than asking before every step. */
export function undoable(title: string, undo: () => Promise<unknown>): void {
  const run = (): void => {
    void undo().then(
      () => {
        notify(uiStrings.undone(title));
      },
      (error: unknown) => {
        notifyError(uiStrings.undoFailed, error);
      },
    );
  };
  add({ ...NOTHING, kind: "info", title, action: { name: uiStrings.undo, how: uiStrings.undoHow, run } });
}

/** Says that `title` happened because of `error`, with the hint that errors of Paige carry. */
export function notifyError(title: string, error: unknown): void {
  const message = textOf(error, "message");
  // It stays until it was read: nobody should have to hurry.
  add({ ...NOTHING, kind: "error", title, message: message === title ? null : message, hint: textOf(error, "hint"), stays: true });
}

function textOf(error: unknown, key: "message" | "hint"): string | null {
  if (typeof error !== "object" || error === null) return null;
  const value: unknown = Reflect.get(error, key);
  return typeof value === "string" ? value : null;
}

/** The same notice twice is one notice. */
function add(fresh: Omit<Toast, "id">): void {
  lastId += 1;
  const toast = { ...fresh, id: lastId };
  useToasts.setState(({ toasts }) => ({
    toasts: [...toasts.filter((shown) => !isSame(shown, toast)), toast].slice(-MOST_SHOWN),
  }));
}

function isSame(one: Toast, other: Toast): boolean {
  return one.kind === other.kind && one.title === other.title && one.message === other.message;
}

// Shows the notices. Radix announces errors at once and everything else when the reader pauses.

const INFO_MS = 5_000;
/** With something to decide, and perhaps to press. */
const ACTION_MS = 12_000;

export function Toaster(): ReactNode {
  const { toasts, dismiss } = useToasts();
  return (
    <Primitive.Provider label={strings.notices.label} swipeDirection="right">
      {toasts.map((toast) => (
        <ToastCard key={toast.id} toast={toast} onDismiss={dismiss} />
      ))}
      <Primitive.Viewport
        label={strings.notices.region}
        data-unprinted
        className="fixed right-0 bottom-16 z-50 flex w-full max-w-md flex-col gap-2 p-4 md:bottom-0"
      />
    </Primitive.Provider>
  );
}

function ToastCard({ toast, onDismiss }: { toast: Toast; onDismiss: (id: number) => void }): ReactNode {
  const isError = toast.kind === "error";
  const Icon = isError ? CircleAlert : CircleCheck;
  return (
    <Primitive.Root
      type={isError ? "foreground" : "background"}
      duration={toast.stays ? Infinity : toast.action === null ? INFO_MS : ACTION_MS}
      onOpenChange={(open) => {
        if (!open) onDismiss(toast.id);
      }}
      className="flex items-start gap-3 rounded-lg border border-line bg-card p-4 shadow-lg"
    >
      <Icon aria-hidden className={`mt-0.5 size-5 shrink-0 ${isError ? "text-fail" : "text-ok"}`} />
      <div className="min-w-0 flex-1">
        <Primitive.Title className="font-semibold">
          {toast.title}
          <FullStop />
        </Primitive.Title>
        <Primitive.Description className="text-base text-ink-soft">
          {toast.message !== null && (
            <>
              <Marked className="block" text={toast.message} />
              <FullStop />
            </>
          )}
          {toast.hint !== null && <Marked className="block" text={toast.hint} />}
        </Primitive.Description>
      </div>
      {toast.action !== null && (
        <Primitive.Action asChild altText={toast.action.how}>
          <Button look="quiet" className="-my-2" onClick={toast.action.run}>
            {toast.action.name}
          </Button>
        </Primitive.Action>
      )}
      <Primitive.Close
        aria-label={strings.notices.dismiss}
        className="-m-2 grid size-10 shrink-0 place-items-center rounded-md hover:bg-paper"
      >
        <X aria-hidden className="size-5" />
      </Primitive.Close>
    </Primitive.Root>
  );
}

/** Radix reads a notice out as one text: without this, two sentences become one. */
function FullStop(): ReactNode {
  return <span className="sr-only">. </span>;
}
