/** Which traces are shown: by type at once, by agent, feature and rule one step further. */

import { SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";

import type { GraphFilter } from "../../../api/learning-api";
import { graphStrings } from "../../../strings-guard-graph";
import type { GraphName, GraphOverview, GraphTrace } from "../../../wire/generated";
import { Chip, Choice } from "../parts";
import type { AddressBar } from "./address";

const text = graphStrings.list;
const TYPES = ["violation", "correction", "decision", "approval"] as const satisfies GraphTrace["type"][];

interface FiltersProps {
  overview: GraphOverview;
  filter: GraphFilter;
  go: AddressBar["go"];
}

export function Filters({ overview, filter, go }: FiltersProps): ReactNode {
  const hasMore = [filter.agent, filter.feature, filter.rule, filter.file].some((value) => value !== null);
  return (
    <>
      <div role="group" aria-label={text.type} className="mt-4 flex flex-wrap gap-2">
        <Chip
          chosen={filter.type === null}
          onChoose={() => {
            go({ type: null }, { replace: true });
          }}
        >
          {text.chip(text.all, overview.total)}
        </Chip>
        {TYPES.map((type) => (
          <Chip
            key={type}
            chosen={filter.type === type}
            onChoose={() => {
              go({ type: filter.type === type ? null : type }, { replace: true });
            }}
          >
            {text.chip(graphStrings.types[type], overview.types[type] ?? 0)}
          </Chip>
        ))}
      </div>
      <details className="mt-3" open={hasMore || undefined}>
        <summary className="flex min-h-11 w-fit cursor-pointer items-center gap-2 font-semibold text-ink-soft hover:text-accent">
          <SlidersHorizontal aria-hidden className="size-4.5" />
          {text.more}
        </summary>
        <div className="mt-2 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
          <Named name="agent" found={overview.agents} filter={filter} go={go} />
          <Named name="feature" found={overview.features} filter={filter} go={go} />
          <Named name="rule" found={overview.rules} filter={filter} go={go} />
          {filter.file !== null && <Named name="file" found={[]} filter={filter} go={go} />}
        </div>
      </details>
    </>
  );
}

interface NamedProps extends Pick<FiltersProps, "filter" | "go"> {
  name: "agent" | "feature" | "rule" | "file";
  found: readonly GraphName[];
}

function Named({ name, found, filter, go }: NamedProps): ReactNode {
  return (
    <Choice
      label={text.filters[name]}
      any={text.any[name]}
      value={filter[name]}
      options={found.map((each) => [each.name, text.option(each.name, each.count)])}
      onChoose={(value) => {
        go({ [name]: value }, { replace: true });
      }}
    />
  );
}
