/** Learned guards: by stage, the patterns they are made of, and how well learning works. */

import type { ReactNode } from "react";

import { guardsStrings } from "../../../strings-guard-guards";
import { Answered } from "../../../ui/answered";
import { Skeleton } from "../../../ui/skeleton";
import { TabPanel, Tabs } from "../../../ui/tabs";
import { TABS, useAddress } from "./address";
import { GuardView } from "./guard-view";
import { useGuards } from "./hooks";
import { PatternsTab } from "./patterns-tab";
import { ReportTab } from "./report-tab";
import { Stages } from "./stages";

const text = guardsStrings;

export default function GuardsPage(): ReactNode {
  const { tab, id, go } = useAddress();
  if (id !== null) return <WithGuards>{(found) => <GuardView key={id} id={id} found={found} />}</WithGuards>;
  return (
    <Tabs
      label={text.tabs.label}
      className="mt-4"
      value={tab}
      tabs={TABS.map((name) => [name, text.tabs[name]])}
      onChange={(chosen) => {
        go({ tab: chosen === "stages" ? null : chosen });
      }}
    >
      <TabPanel value="stages">
        <WithGuards>{(found) => <Stages found={found} />}</WithGuards>
      </TabPanel>
      <TabPanel value="patterns">
        <PatternsTab />
      </TabPanel>
      <TabPanel value="report">
        <ReportTab />
      </TabPanel>
    </Tabs>
  );
}

type Guards = NonNullable<ReturnType<typeof useGuards>["data"]>;

function WithGuards({ children }: { children: (found: Guards) => ReactNode }): ReactNode {
  return (
    <Answered query={useGuards()} words={text} skeleton={<Skeleton className="h-96" />}>
      {children}
    </Answered>
  );
}
