/** The server's answers about the orchestra, as React hooks. */

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";

import { useServices } from "../../../services";
import type { LearnedMetrics, OrchestraBoard, OrchestraHandoffs } from "../../../wire/generated";

const ORCHESTRA_KEY = ["orchestra"] as const;
/** The orchestra plays in another process and writes to files: the page looks while somebody looks at it. */
const LOOK_AGAIN_MS = 2000;

export function useBoard(): UseQueryResult<OrchestraBoard> {
  const { learning } = useServices().api;
  return useQuery({ queryKey: [...ORCHESTRA_KEY, "board"], queryFn: () => learning.board(), refetchInterval: LOOK_AGAIN_MS });
}

export function useHandoffs(feature: string | null, limit: number): UseQueryResult<OrchestraHandoffs> {
  const { learning } = useServices().api;
  return useQuery({
    queryKey: [...ORCHESTRA_KEY, "handoffs", feature, limit],
    queryFn: () => learning.handoffs(feature, limit),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function useMetrics(): UseQueryResult<LearnedMetrics> {
  const { learning } = useServices().api;
  return useQuery({ queryKey: ["guards", "metrics"], queryFn: () => learning.metrics() });
}
