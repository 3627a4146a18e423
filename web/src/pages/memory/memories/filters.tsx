/** Which memories are looked at: scope, project, and whether replaced ones count. */

import type { ReactNode } from "react";

import { strings } from "../../../strings";
import { Chips } from "../../../ui/chip";
import { Choice } from "../../../ui/choice";
import { Tick } from "../../../ui/field";
import { type AddressBar, isScope } from "../address";
import { useOverview } from "../hooks";

const text = strings.memory.search;

export function Filters({ address, searching }: { address: AddressBar; searching: boolean }): ReactNode {
  const totals = useOverview().data?.totals;
  if (totals === undefined) return null;
  const scopes = Object.entries(totals.scopes).flatMap(([name, count]) => (isScope(name) ? [[name, count] as const] : []));
  const projects = Object.keys(totals.projects).sort();
  const { scope, project, history, go } = address;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3">
      {scopes.length > 0 && (
        <Chips
          label={text.scope}
          value={scope}
          all={text.chip(text.everyScope, totals.memories)}
          options={scopes.map(([name, count]) => [name, text.chip(strings.memory.scopes[name], count)])}
          onChoose={(chosen) => {
            go({ scope: chosen }, { replace: true });
          }}
        />
      )}
      {(projects.length > 0 || project !== null) && (
        <Choice
          isInline
          label={text.project}
          any={text.everyProject}
          value={project}
          options={projects.map((name) => [name, text.chip(name, totals.projects[name] ?? 0)])}
          onChoose={(chosen) => {
            go({ project: chosen }, { replace: true });
          }}
        />
      )}
      {searching && (
        <Tick
          label={text.history}
          isTicked={history}
          onTick={(isTicked) => {
            go({ history: isTicked ? "true" : null }, { replace: true });
          }}
        />
      )}
    </div>
  );
}
