/** Runs, newest first, with a search and filters in the address. */

import type { ReactNode } from "react";

import type { RunFilter } from "../../../api/traces-api";
import { traceStrings } from "../../../strings-traces";
import { isFiltered, oneOf, useAddressParts } from "../../../ui/address-bar";
import { Answered } from "../../../ui/answered";
import { Chips } from "../../../ui/chip";
import { Choice } from "../../../ui/choice";
import { NothingFound } from "../../../ui/empty";
import { RestingSearch } from "../../../ui/search-field";
import { ShowMore } from "../../../ui/shown";
import { SkeletonRows } from "../../../ui/skeleton";
import { Teaching } from "../../../ui/teaching";
import type { TraceRun } from "../../../wire/generated";
import { useRunNews, useRuns } from "../hooks";
import { doorName } from "../marks";
import { RunRow } from "./run-row";

const text = traceStrings.list;
const STATUSES = ["running", "waiting", "success", "failed"] as const;
const NOTHING = { query: null, door: null, status: null };

export default function RunsPage(): ReactNode {
  const { found, go } = useAddressParts<keyof RunFilter>();
  const filter: RunFilter = {
    query: found.get("query") ?? "",
    door: found.get("door"),
    status: oneOf(found.get("status"), text.filters),
  };
  const runs = useRuns(filter);
  useRunNews(null);
  const first = runs.data?.pages[0];
  if (first?.runs.length === 0 && !isFiltered(filter)) return <Teaching words={traceStrings.empty} />;
  return (
    <div className="mt-6">
      <RestingSearch key={filter.query === "" ? "empty" : "words"} words={text} initial={filter.query} go={go} />
      <div className="mt-4 flex flex-wrap items-end justify-between gap-4">
        <Chips
          label={text.status}
          value={filter.status}
          all={text.all}
          options={STATUSES.map((each) => [each, text.filters[each]] as const)}
          onChoose={(status) => {
            go({ status }, { replace: true });
          }}
        />
        {((first?.doors.length ?? 0) > 1 || filter.door !== null) && (
          <Choice
            label={text.door}
            isInline
            value={filter.door}
            any={text.anyDoor}
            options={(first?.doors ?? []).map((door) => [door, doorName(door)] as const)}
            onChoose={(door) => {
              go({ door }, { replace: true });
            }}
          />
        )}
      </div>
      <Answered query={runs} words={text} skeleton={<SkeletonRows className="mt-6" />}>
        {({ pages }) => (
          <Found
            runs={pages.flatMap((page) => page.runs)}
            isAll={!runs.hasNextPage}
            isBusy={runs.isPlaceholderData}
            isFiltered={isFiltered(filter)}
            onTakeAway={() => {
              go(NOTHING, { replace: true });
            }}
          />
        )}
      </Answered>
      {runs.hasNextPage && <ShowMore words={text.showMore} isBusy={runs.isFetchingNextPage} onMore={() => void runs.fetchNextPage()} />}
    </div>
  );
}

interface FoundProps {
  runs: readonly TraceRun[];
  isAll: boolean;
  isBusy: boolean;
  isFiltered: boolean;
  onTakeAway: () => void;
}

function Found({ runs, isAll, isBusy, isFiltered: hasFilter, onTakeAway }: FoundProps): ReactNode {
  const now = new Date().toISOString();
  return (
    <div aria-busy={isBusy} className="mt-5">
      <p role="status" className={runs.length === 0 ? "sr-only" : "text-base text-ink-soft"}>
        {runs.length === 0 ? text.nothing : text.shown(runs.length, isAll)}
      </p>
      {runs.length === 0 && <NothingFound words={text} isFiltered={hasFilter} onTakeAway={onTakeAway} />}
      <ul className="mt-2 divide-y divide-rule border-y border-rule empty:hidden">
        {runs.map((run) => (
          <li key={run.id}>
            <RunRow run={run} now={now} />
          </li>
        ))}
      </ul>
    </div>
  );
}
