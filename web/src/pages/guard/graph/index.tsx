/** The graph explorer: every trace, and around one of them what led to it and what came of it. */

import type { ReactNode } from "react";

import { graphStrings } from "../../../strings-guard-graph";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { Teaching } from "../../../ui/teaching";
import { useAddress } from "./address";
import { useGraph } from "./hooks";
import { TraceList } from "./trace-list";
import { TraceView } from "./trace-view";

const text = graphStrings;

export default function GraphPage(): ReactNode {
  const { id } = useAddress();
  const graph = useGraph();
  if (id !== null) return <TraceView key={id} id={id} />;
  if (graph.data === undefined) {
    if (graph.isError) return <QueryError title={text.failed} query={graph} />;
    return (
      <Loading label={text.loading}>
        <Skeleton className="mt-6 h-16" />
        <Skeleton className="mt-6 h-96" />
      </Loading>
    );
  }
  if (graph.data.total === 0) return <Teaching words={text.empty} />;
  return <TraceList overview={graph.data} />;
}
