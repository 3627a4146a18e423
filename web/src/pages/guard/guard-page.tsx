/** The parts of the Guard page: decisions, rules, explaining a command, coding agents. */

import type { ReactNode } from "react";

import { TabPanel, Tabs } from "../../ui/tabs";
import { Hosts } from "../hosts/hosts";
import { TABS, useAddress } from "./address";
import { DecisionsTab } from "./decisions";
import { ExplainTab } from "./explain";
import { RulesTab } from "./rules";
import { guardStrings } from "./strings";

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
