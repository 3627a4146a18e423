/** Notices that come and go: what happened, and what to do about it. */

import { create } from "zustand";

import { uiStrings } from "./strings";

export interface ToastAction {
  name: string;
  /** How it is done otherwise, for those who hear the notice and cannot reach it in time. */
  how: string;
  run: () => void;
}

export interface Toast {
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
