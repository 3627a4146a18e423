/**
 * The keys that a page has of its own. It says them here while it is shown: the keyboard help lists them, and those
 * with a `run` are carried out. Nobody types in a box or answers a dialog with them.
 */

import { useEffect, useId } from "react";
import { create } from "zustand";

export interface PageKey {
  /** Keys that are held together, as they are written on a keyboard: `["Shift", "Enter"]`. */
  keys: readonly string[];
  does: string;
  /** What one key alone does; without it the page listens itself, and the key is only listed. */
  run?: () => void;
}

interface PageKeys {
  heading: string;
  keys: readonly PageKey[];
}

export const useRegistry = create<Record<string, PageKeys>>()(() => ({}));

/** Lists keys in the keyboard help, below a heading, for as long as the caller is shown. */
export function usePageKeys(heading: string, keys: readonly PageKey[]): void {
  const id = useId();
  useEffect(() => {
    useRegistry.setState({ [id]: { heading, keys } });
  }, [id, heading, keys]);
  useEffect(
    () => () => {
      const others = Object.entries(useRegistry.getState()).filter(([each]) => each !== id);
      useRegistry.setState(Object.fromEntries(others), true);
    },
    [id],
  );
}

/** Carries out what the shown page does with a key; says whether it does anything. */
export function runPageKey(pressed: string): boolean {
  for (const { keys } of Object.values(useRegistry.getState())) {
    const found = keys.find(({ keys: [only, ...more], run }) => more.length === 0 && run !== undefined && isSame(only, pressed));
    if (found?.run === undefined) continue;
    found.run();
    return true;
  }
  return false;
}

function isSame(written: string | undefined, pressed: string): boolean {
  return written?.toLowerCase() === pressed.toLowerCase();
}
