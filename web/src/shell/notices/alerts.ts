/** Notifications of the browser, for whoever switched them on: only for what is new while the tab is hidden. */

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
