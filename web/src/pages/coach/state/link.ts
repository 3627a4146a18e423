/** How far this window has caught up with the server. */

import { create } from "zustand";

interface LinkStore {
  /** How often the connection was opened. */
  time: number;
  /** A session was begun or resumed since then: this window has heard everything about it. */
  isFresh: boolean;
  connected: () => void;
}

export const useLink = create<LinkStore>()((set) => ({
  time: 0,
  isFresh: false,
  connected: () => {
    set(({ time }) => ({ time: time + 1, isFresh: false }));
  },
}));
