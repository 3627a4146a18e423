/** Which memories are looked at: scope, project, and whether replaced ones count. */

import { clsx } from "clsx";
import type { ReactNode } from "react";

import { strings } from "../../../strings";
import { type AddressBar, isScope } from "../address";
import { useOverview } from "../hooks";

const text = strings.memory.search;

export function Filters({ address, searching }: { address: AddressBar; searching: boolean }): ReactNode {
  const overview = useOverview();
  const totals = overview.data?.totals;
  if (totals === undefined) return null;
  const scopes = Object.entries(totals.scopes).filter(([name]) => isScope(name));
  const { scope, project, history, go } = address;
  return (
    <div className="mt-4 flex flex-wrap items-center gap-x-6 gap-y-3">
      {scopes.length > 0 && (
        <div role="group" aria-label={text.scope} className="flex flex-wrap gap-2">
          <Chip
            chosen={scope === null}
            onChoose={() => {
              go({ scope: null }, { replace: true });
            }}
          >
            {text.chip(text.everyScope, totals.memories)}
          </Chip>
          {scopes.map(([name, count]) => (
            <Chip
              key={name}
              chosen={scope === name}
              onChoose={() => {
                go({ scope: scope === name ? null : name }, { replace: true });
              }}
            >
              {text.chip(isScope(name) ? strings.memory.scopes[name] : name, count)}
            </Chip>
          ))}
        </div>
      )}
      <ProjectChoice
        projects={totals.projects}
        chosen={project}
        onChoose={(chosen) => {
          go({ project: chosen }, { replace: true });
        }}
      />
      {searching && (
        <label className="flex min-h-11 items-center gap-2">
          <input
            type="checkbox"
            checked={history}
            onChange={(event) => {
              go({ history: event.target.checked ? "true" : null }, { replace: true });
            }}
            className="size-5 accent-accent"
          />
          {text.history}
        </label>
      )}
    </div>
  );
}

interface ChipProps {
  chosen: boolean;
  onChoose: () => void;
  children: ReactNode;
}

function Chip({ chosen, onChoose, children }: ChipProps): ReactNode {
  return (
    <button
      type="button"
      aria-pressed={chosen}
      onClick={onChoose}
      className={clsx(
        "min-h-11 rounded-full border px-4 font-semibold transition-colors",
        chosen ? "border-accent bg-accent text-on-accent" : "border-edge bg-card text-ink-soft hover:border-accent hover:text-accent",
      )}
    >
      {children}
    </button>
  );
}

interface ProjectChoiceProps {
  projects: Record<string, number>;
  chosen: string | null;
  onChoose: (project: string | null) => void;
}

function ProjectChoice({ projects, chosen, onChoose }: ProjectChoiceProps): ReactNode {
  const names = Object.keys(projects).sort();
  if (chosen !== null && !names.includes(chosen)) names.unshift(chosen);
  if (names.length === 0) return null;
  return (
    <label className="flex min-w-0 items-center gap-2">
      <span className="text-ink-soft">{text.project}</span>
      <select
        value={chosen ?? ""}
        onChange={(event) => {
          onChoose(event.target.value === "" ? null : event.target.value);
        }}
        className="min-h-11 max-w-56 min-w-0 rounded-md border border-edge bg-card px-3"
      >
        <option value="">{text.everyProject}</option>
        {names.map((name) => (
          <option key={name} value={name}>
            {text.chip(name, projects[name] ?? 0)}
          </option>
        ))}
      </select>
    </label>
  );
}
