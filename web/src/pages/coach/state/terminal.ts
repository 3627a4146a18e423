/** What this window knows of its terminal. */

import { create } from "zustand";

interface TerminalStore {
  isShown: boolean;
  /** Why this window may not have one. */
  refused: { message: string; hint: string | null } | null;
}

export const useTerminal = create<TerminalStore>()(() => ({ isShown: false, refused: null }));
