/** The parts of the Guard page: decisions, rules, explaining a command, coding agents. */

import type { ReactNode } from "react";

import { Hosts } from "../../hosts/hosts";
import { guardStrings } from "../../strings-guard";
import { TabPanel, Tabs } from "../../ui/tabs";
import { TABS, useAddress } from "./address";
import { DecisionsTab } from "./decisions/decisions-tab";
import { ExplainTab } from "./explain/explain-tab";
import { RulesTab } from "./rules/rules-tab";

const text = guardStrings.tabs;

export default function GuardPage(): ReactNode {
  const { tab, go } = useAddress();
  return (
    <Tabs
      label={text.label}
      value={tab}
      tabs={TABS.map((name) => [name, text[name]])}
      onChange={(chosen) => {
        go({ tab: chosen === "decisions" ? null : chosen });
      }}
    >
      <TabPanel value="decisions">
        <DecisionsTab />
      </TabPanel>
      <TabPanel value="rules">
        <RulesTab />
      </TabPanel>
      <TabPanel value="explain">
        <ExplainTab />
      </TabPanel>
      <TabPanel value="hosts">
        <Hosts />
      </TabPanel>
    </Tabs>
  );
}
