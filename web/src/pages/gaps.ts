/** Gaps of coaching sessions, as the pages of Coach and of Study read them. */

import { useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useServices } from "../services";
import type { CoachGap } from "../wire/generated";
import { STUDY_KEY } from "./study/hooks";

/** The course that gaps become concepts of. */
export const COACH_COURSE = "coach";

/** Below the key of Study: what is practised there changes them. */
export function useGaps(isWanted = true): UseQueryResult<CoachGap[]> {
  const { api } = useServices();
  return useQuery({
    queryKey: [...STUDY_KEY, "gaps"],
    queryFn: async () => (await api.coach.gaps()).gaps,
    enabled: isWanted,
  });
}
