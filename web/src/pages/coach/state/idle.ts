/** Tells the server when nothing has been done for a while, and when the person is back. */

import { useEffect } from "react";

import { useServices } from "../../../services";

export const IDLE_MS = 60_000;
const SIGNS = ["keydown", "pointerdown", "pointermove", "wheel"] as const;

export function useIdle(): void {
  const { connection } = useServices();
  useEffect(() => {
    let isIdle = false;
    let last = Date.now();
    let timer: ReturnType<typeof setTimeout>;
    const wait = (): void => {
      clearTimeout(timer);
      timer = setTimeout(() => {
        isIdle = connection.send({ type: "user:idle_start", payload: { lastActionTimestamp: last } });
      }, IDLE_MS);
    };
    const note = (): void => {
      last = Date.now();
      if (isIdle) connection.send({ type: "user:idle_end", payload: {} });
      isIdle = false;
      wait();
    };
    wait();
    for (const sign of SIGNS) window.addEventListener(sign, note, { passive: true });
    return () => {
      clearTimeout(timer);
      for (const sign of SIGNS) window.removeEventListener(sign, note);
    };
  }, [connection]);
}
