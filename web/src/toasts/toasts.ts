/** Notices that come and go: what happened, and what to do about it. */

import { create } from "zustand";

export interface Toast {
  id: number;
  kind: "info" | "error";
  title: string;
  message: string | null;
  hint: string | null;
}

interface ToastStore {
  toasts: Toast[];
  dismiss: (id: number) => void;
}

/** Older notices make room: a wall of them helps nobody. */
const MOST_SHOWN = 3;

let lastId = 0;

export const useToasts = create<ToastStore>()((set) => ({
  toasts: [],
  dismiss: (id) => {
    set(({ toasts }) => ({ toasts: toasts.filter((toast) => toast.id !== id) }));
  },
}));

export function notify(title: string): void {
  add({ kind: "info", title, message: null, hint: null });
}

/** Says that `title` happened because of `error`, with the hint that errors of Paige carry. */
export function notifyError(title: string, error: unknown): void {
  const message = textOf(error, "message");
  add({ kind: "error", title, message: message === title ? null : message, hint: textOf(error, "hint") });
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
