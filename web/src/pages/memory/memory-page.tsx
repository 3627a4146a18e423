/** The parts of the Memory page: what is remembered, the documents, and how memories are chosen. */

import type { ReactNode } from "react";

import { locale } from "../../locale/words";
import { strings } from "../../strings";
import { Answered } from "../../ui/data/answered";
import { Figures } from "../../ui/data/figures";
import { formatDay } from "../../ui/data/when";
import { Skeleton } from "../../ui/skeleton";
import { TabPanel, Tabs } from "../../ui/tabs";
import type { MemoryOverview } from "../../wire/generated";
import { TABS, useAddress } from "./address";
import { DocumentsTab } from "./documents";
import { useOverview } from "./hooks";
import { MemoriesTab } from "./memories";
import { PoliciesTab } from "./policies";

const text = strings.memory;

export default function MemoryPage(): ReactNode {
  const { tab, go } = useAddress();
  return (
    <div className="flex flex-col">
      <CycleStrip />
      <Tabs
        label={text.tabs.label}
        value={tab}
        tabs={TABS.map((name) => [name, text.tabs[name]])}
        onChange={(chosen) => {
          go({ tab: chosen === "memories" ? null : chosen });
        }}
      >
        <TabPanel value="memories">
          <MemoriesTab />
        </TabPanel>
        <TabPanel value="documents">
          <DocumentsTab />
        </TabPanel>
        <TabPanel value="policies">
          <PoliciesTab />
        </TabPanel>
      </Tabs>
    </div>
  );
}

const cycleText = strings.memory.cycle;
/** On a phone it stands below everything else: who comes here there comes to search. */
const PLACE = "mt-6 max-sm:order-last max-sm:mt-12";

/** The memory at a glance: how much it holds, and what its four phases did. */
function CycleStrip(): ReactNode {
  return (
    <div className={PLACE}>
      <Answered query={useOverview()} words={cycleText} skeleton={<Skeleton className="h-24" />}>
        {(overview) => <Strip overview={overview} />}
      </Answered>
    </div>
  );
}

function Strip({ overview }: { overview: MemoryOverview }): ReactNode {
  const { totals, logs, cycle } = overview;
  const behind = logs.reduce((sum, log) => sum + Math.max(log.lastSeq - log.indexed, 0), 0);
  const figures = [
    {
      key: "held",
      name: cycleText.held,
      value: totals.memories.toLocaleString(locale()),
      note: behind > 0 ? cycleText.behind(behind) : cycleText.heldDetail(totals.superseded),
    },
    ...cycle.map(({ phase, events, last }) => ({
      key: phase,
      name: cycleText.phases[phase],
      value: events.toLocaleString(locale()),
      note: last === null ? cycleText.never : cycleText.last(formatDay(last)),
    })),
  ];
  return (
    <section aria-label={cycleText.heading}>
      <Figures columns={5} figures={figures} />
      <p className="mt-2 text-base text-ink-soft [overflow-wrap:anywhere]">
        {cycleText.log} <code className="text-[0.9em]">{logs[0]?.path}</code>
        {overview.embedder !== null && ` · ${overview.embedder} · ${overview.backends.join(", ")}`}
      </p>
    </section>
  );
}
