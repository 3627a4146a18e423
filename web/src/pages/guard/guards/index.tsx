/** Learned guards: by stage, the patterns they are made of, and how well learning works. */

import { Tabs } from "radix-ui";
import type { ReactNode } from "react";

import { guardsStrings } from "../../../strings-guard-guards";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
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
    <Tabs.Root
      value={tab}
      onValueChange={(chosen) => {
        go({ tab: chosen === "stages" ? null : chosen });
      }}
      className="mt-4"
    >
      <Tabs.List aria-label={text.tabs.label} className="flex flex-wrap gap-x-1 border-b border-line">
        {TABS.map((name) => (
          <Tabs.Trigger
            key={name}
            value={name}
            className={
              "-mb-px min-h-11 border-b-3 border-transparent px-2 font-semibold text-ink-soft transition-colors sm:px-4 " +
              "hover:text-accent data-[state=active]:border-accent data-[state=active]:text-accent"
            }
          >
            {text.tabs[name]}
          </Tabs.Trigger>
        ))}
      </Tabs.List>
      <Tabs.Content value="stages">
        <WithGuards>{(found) => <Stages found={found} />}</WithGuards>
      </Tabs.Content>
      <Tabs.Content value="patterns" className="pt-6">
        <PatternsTab />
      </Tabs.Content>
      <Tabs.Content value="report" className="pt-6">
        <ReportTab />
      </Tabs.Content>
    </Tabs.Root>
  );
}

type Guards = NonNullable<ReturnType<typeof useGuards>["data"]>;

function WithGuards({ children }: { children: (found: Guards) => ReactNode }): ReactNode {
  const guards = useGuards();
  if (guards.data !== undefined) return children(guards.data);
  if (guards.isError) return <QueryError title={text.failed} query={guards} />;
  return (
    <Loading label={text.loading}>
      <Skeleton className="mt-6 h-16" />
      <Skeleton className="mt-6 h-96" />
    </Loading>
  );
}
