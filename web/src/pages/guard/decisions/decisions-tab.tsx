/** What was decided: the last days in numbers, and every decision as it comes. */

import { type ReactNode, useState } from "react";

import { guardStrings } from "../../../strings-guard";
import { Answered } from "../../../ui/answered";
import { Skeleton } from "../../../ui/skeleton";
import { useOverview } from "../hooks";
import { DayPlot } from "./day-plot";
import { DecisionList } from "./decision-list";
import { NothingYet } from "./nothing-yet";
import { Summary } from "./summary";

const text = guardStrings.summary;

export function DecisionsTab(): ReactNode {
  const [isLive, setLive] = useState(true);
  const overview = useOverview(isLive);
  return (
    <Answered query={overview} words={text} skeleton={<Skeleton className="h-96" />}>
      {(found) =>
        Object.keys(found.clis).length === 0 ? (
          <NothingYet />
        ) : (
          <>
            <Summary overview={found} />
            <div className="mt-6">
              <DayPlot days={found.days} />
            </div>
            <DecisionList overview={found} isLive={isLive} onLive={setLive} />
          </>
        )
      }
    </Answered>
  );
}
