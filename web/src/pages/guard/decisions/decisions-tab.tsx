/** What was decided: the last days in numbers, and every decision as it comes. */

import { type ReactNode, useState } from "react";

import { guardStrings } from "../../../strings-guard";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import { useOverview } from "../hooks";
import { DayPlot } from "./day-plot";
import { DecisionList } from "./decision-list";
import { NothingYet } from "./nothing-yet";
import { Summary } from "./summary";

const text = guardStrings.summary;

export function DecisionsTab(): ReactNode {
  const [isLive, setLive] = useState(true);
  const overview = useOverview(isLive);
  if (overview.data === undefined) {
    if (overview.isError) return <QueryError title={text.failed} query={overview} />;
    return (
      <Loading label={text.loading}>
        <Skeleton className="h-24" />
        <Skeleton className="mt-6 h-96" />
      </Loading>
    );
  }
  if (Object.keys(overview.data.clis).length === 0) return <NothingYet />;
  return (
    <>
      <Summary overview={overview.data} />
      <div className="mt-6">
        <DayPlot days={overview.data.days} />
      </div>
      <DecisionList overview={overview.data} isLive={isLive} onLive={setLive} />
    </>
  );
}
