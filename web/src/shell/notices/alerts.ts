/** Notifications of the browser, for whoever switched them on: only for what is new while the tab is hidden. */

import { useEffect } from "react";
import { create } from "zustand";
import { persist } from "zustand/middleware";

interface AlertsStore {
  isOn: boolean;
  setOn: (isOn: boolean) => void;
}

export const useAlerts = create<AlertsStore>()(
  persist(
    (set) => ({
      isOn: false,
      setOn: (isOn) => {
        set({ isOn });
      },
    }),
    { name: "paige-alerts" },
  ),
);

export type Allowed = "yes" | "ask" | "no" | "missing";

export function allowed(): Allowed {
  if (typeof Notification === "undefined") return "missing";
  if (Notification.permission === "granted") return "yes";
  return Notification.permission === "denied" ? "no" : "ask";
}

/** Switches them on, after the browser has asked the person; says what came of it. */
export async function switchOn(): Promise<Allowed> {
  if (allowed() === "ask") await Notification.requestPermission();
  const found = allowed();
  useAlerts.getState().setOn(found === "yes");
  return found;
}

interface Alert {
  id: string;
  title: string;
  body: string;
  open: () => void;
}

/** Shows a notification, unless the person is looking or does not want any. */
export function alertPerson({ id, title, body, open }: Alert): void {
  if (!useAlerts.getState().isOn || allowed() !== "yes" || !document.hidden) return;
  try {
    const shown = new Notification(title, { body, tag: id, icon: "/favicon.svg" });
    shown.onclick = () => {
      window.focus();
      shown.close();
      open();
    };
  } catch {
    // Phones show them only through a service worker.
    void navigator.serviceWorker.ready.then((worker) => worker.showNotification(title, { body, tag: id }));
  }
}

// What this person has seen, kept in this browser. The server is not told: a look at the phone says nothing about the
// screen at work, and looking should not write. A notice with something new about it has a new id.

const KEY = "paige-seen-notices";
/** The oldest make room; what is that old no longer waits. */
const MOST = 500;

interface SeenStore {
  seen: readonly string[];
  see: (ids: readonly string[]) => void;
}

export const useSeen = create<SeenStore>()(
  persist(
    (set) => ({
      seen: [],
      see: (ids) => {
        set(({ seen }) => ({ seen: [...seen.filter((id) => !ids.includes(id)), ...ids].slice(-MOST) }));
      },
    }),
    { name: KEY },
  ),
);

/** Windows of one browser agree: what was seen in one is seen in the others. */
export function useSharedSeen(): void {
  useEffect(() => {
    const hear = (event: StorageEvent): void => {
      if (event.key === KEY) void useSeen.persist.rehydrate();
    };
    window.addEventListener("storage", hear);
    return () => {
      window.removeEventListener("storage", hear);
    };
  }, []);
}

/** How many things wait unseen, for the tab and the badge: whoever draws a title need not know the rest. */
export const useUnseenCount = create<{ count: number }>()(() => ({ count: 0 }));
