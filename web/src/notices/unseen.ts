/** How many things wait unseen, for the tab and the badge: whoever draws a title need not know the rest. */

import { create } from "zustand";

export const useUnseenCount = create<{ count: number }>()(() => ({ count: 0 }));
