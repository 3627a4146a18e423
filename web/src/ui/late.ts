/** Parts that are fetched when they are first needed, to keep the first load small. */

import { useEffect, useState } from "react";

export type LateState = "loading" | "failed" | "ready";

export interface Late<T> {
  /** The part, once it was fetched. */
  get: () => T | null;
  /** Fetch it; whether it is there now. */
  fetch: () => Promise<boolean>;
}

export function late<T>(load: () => Promise<T>): Late<T> {
  let part: T | null = null;
  return {
    get: () => part,
    fetch: async () => {
      try {
        part = await load();
        return true;
      } catch {
        return false;
      }
    },
  };
}

interface Fetching<T> {
  part: T | null;
  state: LateState;
  retry: () => void;
}

/** `onArrive` is called right before the part, or the failure, is shown; it must not change. */
export function useLate<T>(source: Late<T>, onArrive?: () => void): Fetching<T> {
  const [state, setState] = useState<LateState>(source.get() === null ? "loading" : "ready");
  useEffect(() => {
    if (state !== "loading") return;
    let isLeft = false;
    void source.fetch().then((isThere) => {
      if (isLeft) return;
      onArrive?.();
      setState(isThere ? "ready" : "failed");
    });
    return () => {
      isLeft = true;
    };
  }, [state, source, onArrive]);
  return {
    part: state === "ready" ? source.get() : null,
    state,
    retry: () => {
      setState("loading");
    },
  };
}
