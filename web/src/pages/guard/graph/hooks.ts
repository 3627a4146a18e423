/** The server's answers about the context graph, as React hooks. */

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";

import type { GraphFilter } from "../../../api/learning-api";
import { useServices } from "../../../services";
import type { GraphAround, GraphOverview, GraphTraces } from "../../../wire/generated";

const GRAPH_KEY = ["graph"] as const;
/** Traces come from what hooks write down, and nobody tells the page. */
const LOOK_AGAIN_MS = 5000;

export function useGraph(): UseQueryResult<GraphOverview> {
  const { learning } = useServices().api;
  return useQuery({ queryKey: [...GRAPH_KEY, "overview"], queryFn: () => learning.graph(), refetchInterval: LOOK_AGAIN_MS });
}

/** The last answer stays until the next one is there, so that typing does not flicker. */
export function useTraces(filter: GraphFilter, limit: number): UseQueryResult<GraphTraces> {
  const { learning } = useServices().api;
  return useQuery({
    queryKey: [...GRAPH_KEY, "traces", filter, limit],
    queryFn: () => learning.traces(filter, limit),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

export function useAround(id: string, depth: number): UseQueryResult<GraphAround> {
  const { learning } = useServices().api;
  return useQuery({
    queryKey: [...GRAPH_KEY, "around", id, depth],
    queryFn: () => learning.around(id, depth),
    // Another depth of the same trace: the drawing stays until the next one is there.
    placeholderData: (before, query) => (query?.queryKey[2] === id ? before : undefined),
  });
}
