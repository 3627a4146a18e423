/** The parts of the Guard page: decisions, rules, explaining a command, coding agents. */

import { Tabs } from "radix-ui";
import type { ReactNode } from "react";

import { guardStrings } from "../../strings-guard";
import { TABS, useAddress } from "./address";
import { DecisionsTab } from "./decisions/decisions-tab";
import { ExplainTab } from "./explain/explain-tab";
import { HostsTab } from "./hosts/hosts-tab";
import { RulesTab } from "./rules/rules-tab";

const text = guardStrings.tabs;

export default function GuardPage(): ReactNode {
  const { tab, go } = useAddress();
  return (
    <Tabs.Root
      value={tab}
      onValueChange={(chosen) => {
        go({ tab: chosen === "decisions" ? null : chosen });
      }}
      className="mt-6"
    >
      <Tabs.List aria-label={text.label} className="flex flex-wrap gap-x-1 border-b border-line">
        {TABS.map((name) => (
          <Tabs.Trigger
            key={name}
            value={name}
            className={
              "-mb-px min-h-11 border-b-3 border-transparent px-2 font-semibold text-ink-soft transition-colors sm:px-4 " +
              "hover:text-accent data-[state=active]:border-accent data-[state=active]:text-accent"
            }
          >
            {text[name]}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value="decisions" className="pt-6">
        <DecisionsTab />
      </Tabs.Content>
      <Tabs.Content value="rules" className="pt-6">
        <RulesTab />
      </Tabs.Content>
      <Tabs.Content value="explain" className="pt-6">
        <ExplainTab />
      </Tabs.Content>
      <Tabs.Content value="hosts" className="pt-6">
        <HostsTab />
      </Tabs.Content>
    </Tabs.Root>
  );
}
