/** Runs, newest first, with a search and filters in the address. */

import type { KeyboardEvent, ReactNode } from "react";
import { Link } from "wouter";

import { runPath } from "../../routes";
import { isFiltered, oneOf, useAddressParts } from "../../ui/address-bar";
import { Answered, NothingFound, ShowMore, Teaching } from "../../ui/data/answered";
import { When } from "../../ui/data/when";
import { Chips, Choice } from "../../ui/forms/choice";
import { RestingSearch } from "../../ui/forms/search-field";
import { SkeletonRows } from "../../ui/skeleton";
import type { TraceRun } from "../../wire/generated";
import type { RunFilter } from "./api";
import { useRunNews, useRuns } from "./hooks";
import { between, doorName, showCost, showTime, StateMark } from "./marks";
import { traceStrings } from "./strings";

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

/** One run in the list: what was asked, how it stands, how long it took, what it cost. */
function RunRow({ run, now }: { run: TraceRun; now: string }): ReactNode {
  const took = between(run.createdAt, run.state === "running" ? now : run.updatedAt);
  return (
    <Link
      href={runPath(run.id)}
      data-run
      onKeyDown={moveWithArrows}
      className="grid gap-x-6 gap-y-0.5 px-2 py-3 transition-colors hover:bg-card sm:grid-cols-[minmax(0,1fr)_auto]"
    >
      <span className="line-clamp-2 font-semibold [overflow-wrap:anywhere]">{run.title === "" ? text.untitled : run.title}</span>
      <span className="sm:text-right">
        <StateMark run={run} />
      </span>
      <span className="flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft">
        <When as="recent" at={run.createdAt} />
        <span>{doorName(run.door)}</span>
        <span className="[overflow-wrap:anywhere]">{traceStrings.one.by(run.agent, run.source)}</span>
      </span>
      <span className="flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft tabular-nums sm:justify-end">
        {run.turns > 0 && <span>{text.turns(run.turns)}</span>}
        <span>{showTime(took)}</span>
        {run.source !== "local" && <span>{showCost(run.costUsd)}</span>}
      </span>
    </Link>
  );
}

/** The arrow keys go through the list. */
function moveWithArrows(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const rows = [...document.querySelectorAll<HTMLElement>("[data-run]")];
  const at = rows.findIndex((row) => row === event.currentTarget);
  rows[at + step]?.focus();
}
