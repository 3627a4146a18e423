/** Which traces are shown: by type at once, by agent, feature and rule one step further. */

import { SlidersHorizontal } from "lucide-react";
import type { ReactNode } from "react";

import type { GraphFilter } from "../../../api/learning-api";
import { graphStrings } from "../../../strings-guard-graph";
import { Chips } from "../../../ui/chip";
import { Choice } from "../../../ui/choice";
import { More } from "../../../ui/more";
import type { GraphName, GraphOverview, GraphTrace } from "../../../wire/generated";
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
      <Chips
        label={text.type}
        className="mt-4"
        value={filter.type}
        all={text.chip(text.all, overview.total)}
        options={TYPES.map((type) => [type, text.chip(graphStrings.types[type], overview.types[type] ?? 0)])}
        onChoose={(type) => {
          go({ type }, { replace: true });
        }}
      />
      <More words={text.more} icon={SlidersHorizontal} isOpen={hasMore} className="mt-3">
        <div className="mt-2 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
          <Named name="agent" found={overview.agents} filter={filter} go={go} />
          <Named name="feature" found={overview.features} filter={filter} go={go} />
          <Named name="rule" found={overview.rules} filter={filter} go={go} />
          {filter.file !== null && <Named name="file" found={[]} filter={filter} go={go} />}
        </div>
      </More>
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
