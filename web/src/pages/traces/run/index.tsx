/** One run: what was asked and came of it, then its timeline, the run step by step, and its journal. */

import { type ReactNode, useCallback } from "react";

import { TRACES_PATHS } from "../../../routes";
import { traceStrings } from "../../../strings-traces";
import { oneOf, useAddressParts } from "../../../ui/address-bar";
import { Answered } from "../../../ui/answered";
import { BackLink } from "../../../ui/back-link";
import { Skeleton } from "../../../ui/skeleton";
import { TabPanel, Tabs } from "../../../ui/tabs";
import { useRun, useRunNews } from "../hooks";
import { Journal } from "./journal";
import { Replay } from "./replay";
import { RunHead } from "./run-head";
import { TimelineTab } from "./timeline-tab";

const text = traceStrings.one;
const TABS = { timeline: text.timeline, steps: text.steps, journal: text.journal };
const NAMES = ["timeline", "steps", "journal"] as const;
type Part = "tab" | "step" | "at" | "from";

export default function RunPage({ id }: { id: string }): ReactNode {
  const run = useRun(id);
  useRunNews(id);
  const { found, go } = useAddressParts<Part>();
  const tab = oneOf(found.get("tab"), TABS) ?? "timeline";
  const step = found.get("step");
  const goTo = useCallback(
    (at: number) => {
      go({ at: String(at), step: null }, { replace: true });
    },
    [go],
  );
  return (
    <div className="mt-4">
      <BackLink href={TRACES_PATHS.runs}>{text.back}</BackLink>
      <Answered query={run} words={text} skeleton={<Skeleton className="mt-4 h-96" />}>
        {(detail) => (
          <>
            <RunHead detail={detail} />
            <Tabs
              label={text.tabs}
              value={tab}
              onChange={(chosen) => {
                go({ tab: chosen === "timeline" ? null : chosen, step: null });
              }}
              tabs={NAMES.map((name) => [name, TABS[name]] as const)}
            >
              <TabPanel value="timeline">
                <TimelineTab
                  key={step}
                  detail={detail}
                  nowUs={run.dataUpdatedAt * 1000}
                  first={step}
                  onReplay={(chosen) => {
                    go({ tab: "steps", step: chosen, at: null });
                  }}
                />
              </TabPanel>
              <TabPanel value="steps">
                <Replay
                  id={id}
                  at={wholeNumber(found.get("at"))}
                  step={step}
                  goTo={goTo}
                  onTree={(chosen) => {
                    go({ tab: null, step: chosen, at: null });
                  }}
                />
              </TabPanel>
              <TabPanel value="journal">
                <Journal
                  id={id}
                  after={wholeNumber(found.get("from"))}
                  goTo={(after) => {
                    go({ from: after === 0 ? null : String(after) });
                  }}
                />
              </TabPanel>
            </Tabs>
          </>
        )}
      </Answered>
    </div>
  );
}

function wholeNumber(given: string | null): number {
  const read = Number(given);
  return Number.isSafeInteger(read) && read > 0 ? read : 0;
}
