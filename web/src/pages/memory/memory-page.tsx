/** The parts of the Memory page: what is remembered, the documents, and how memories are chosen. */

import type { ReactNode } from "react";

import { strings } from "../../strings";
import { TabPanel, Tabs } from "../../ui/tabs";
import { TABS, useAddress } from "./address";
import { CycleStrip } from "./cycle-strip";
import { DocumentsTab } from "./documents/documents-tab";
import { MemoriesTab } from "./memories/memories-tab";
import { PoliciesTab } from "./policies/policies-tab";

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
