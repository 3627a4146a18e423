/** What the dashboard shows, as it comes in: counts at once, issues and materials when they are there. */

import { create } from "zustand";

import type { Dashboard } from "../../../api/coach-api";
import type { DashboardDreyfus, RankedIssue, Recommendation } from "../../../wire/generated";
import { type Asked, NOT_ASKED } from "./questions";

interface DashboardStore {
  state: Dashboard | null;
  skills: DashboardDreyfus["payload"] | null;
  issues: Asked<RankedIssue[]>;
  materials: Asked<Recommendation[]>;
  failed: { message: string; hint: string | null } | null;
  takeState: (state: Dashboard) => void;
}

export const useDashboard = create<DashboardStore>()((set) => ({
  state: null,
  skills: null,
  issues: NOT_ASKED,
  materials: NOT_ASKED,
  failed: null,
  takeState: (state) => {
    set({ state, failed: null });
  },
}));
