/** The graph explorer: every trace, and around one of them what led to it and what came of it. */

import type { ReactNode } from "react";

import { graphStrings } from "../../../strings-guard-graph";
import { Answered } from "../../../ui/answered";
import { Skeleton } from "../../../ui/skeleton";
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
  return (
    <Answered query={graph} words={text} skeleton={<Skeleton className="mt-6 h-96" />}>
      {(overview) => (overview.total === 0 ? <Teaching words={text.empty} /> : <TraceList overview={overview} />)}
    </Answered>
  );
}
