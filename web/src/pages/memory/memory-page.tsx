/** The Memory page: what is remembered, the documents, and how memories are chosen. */

import { Tabs } from "radix-ui";
import type { ReactNode } from "react";

import { Page } from "../../layout/page";
import { strings } from "../../strings";
import { TABS, useAddress } from "./address";
import { CycleStrip } from "./cycle-strip";
import { DocumentsTab } from "./documents/documents-tab";
import { MemoriesTab } from "./memories/memories-tab";
import { PoliciesTab } from "./policies/policies-tab";

const text = strings.memory;

export function MemoryPage(): ReactNode {
  const { tab, go } = useAddress();
  return (
    <Page title={text.title} lead={text.lead}>
      <div className="flex flex-col">
        <CycleStrip />
        <Tabs.Root
          value={tab}
          onValueChange={(chosen) => {
            go({ tab: chosen === "memories" ? null : chosen });
          }}
          className="mt-6 sm:mt-8"
        >
          <Tabs.List aria-label={text.tabs.label} className="flex gap-1 border-b border-line">
            {TABS.map((name) => (
              <Tabs.Trigger
                key={name}
                value={name}
                className={
                  "-mb-px min-h-11 border-b-3 border-transparent px-3 font-semibold text-ink-soft transition-colors sm:px-4 " +
                  "hover:text-accent data-[state=active]:border-accent data-[state=active]:text-accent"
                }
              >
                {text.tabs[name]}
              </Tabs.Trigger>
            ))}
          </Tabs.List>
          <Tabs.Content value="memories" className="pt-6">
            <MemoriesTab />
          </Tabs.Content>
          <Tabs.Content value="documents" className="pt-6">
            <DocumentsTab />
          </Tabs.Content>
          <Tabs.Content value="policies" className="pt-6">
            <PoliciesTab />
          </Tabs.Content>
        </Tabs.Root>
      </div>
    </Page>
  );
}
