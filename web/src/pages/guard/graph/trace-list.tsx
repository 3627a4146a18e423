/** The traces that fit, with a search by meaning; arrow keys go through them, Enter opens one. */

import { type KeyboardEvent, type ReactNode, useState } from "react";
import { Link } from "wouter";

import { graphStrings } from "../../../strings-guard-graph";
import { Button } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { Marked } from "../../../ui/marked";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { GraphOverview, GraphTrace, GraphTraces } from "../../../wire/generated";
import { Empty } from "../../../ui/empty";
import { RestingSearch } from "../parts";
import { When } from "../when";
import { isFiltered, NO_FILTER, useAddress } from "./address";
import { Filters } from "./filters";
import { useTraces } from "./hooks";
import { TypeMark } from "./marks";

const text = graphStrings.list;
const FIRST = 40;
const MOST = 500;

export function TraceList({ overview }: { overview: GraphOverview }): ReactNode {
  const { filter, go } = useAddress();
  const key = JSON.stringify(filter);
  const [shown, setShown] = useState({ key, count: FIRST });
  const limit = shown.key === key ? shown.count : FIRST;
  const found = useTraces(filter, limit);
  return (
    <section aria-labelledby="graph-traces" className="mt-6">
      <h2 id="graph-traces" className="mb-3 text-xl">
        {graphStrings.heading}
      </h2>
      <RestingSearch key={filter.query === "" ? "empty" : "words"} words={text} initial={filter.query} go={go} />
      <Filters overview={overview} filter={filter} go={go} />
      {found.data === undefined ? (
        <NotYet query={found} />
      ) : (
        <>
          <Found found={found.data} isBusy={found.isPlaceholderData} />
          {found.data.traces.length < found.data.total && found.data.traces.length >= limit && limit < MOST && (
            <Button
              look="quiet"
              className="mt-4"
              disabled={found.isPlaceholderData}
              onClick={() => {
                setShown({ key, count: Math.min(limit * 2, MOST) });
              }}
            >
              {text.showMore}
            </Button>
          )}
        </>
      )}
    </section>
  );
}

function Found({ found: { traces, total }, isBusy }: { found: GraphTraces; isBusy: boolean }): ReactNode {
  const { filter, go } = useAddress();
  return (
    <div aria-busy={isBusy} className="mt-5">
      <p role="status" className={total === 0 ? "sr-only" : "text-base text-ink-soft"}>
        {total === 0 ? text.nothing : `${text.count(traces.length, total)}, ${filter.query === "" ? text.newest : text.byMeaning}`}
      </p>
      {traces.length === 0 && (
        <Empty title={text.nothing} hint={text.nothingHint}>
          {isFiltered(filter) && (
            <Button
              look="quiet"
              className="mt-4"
              onClick={() => {
                go(NO_FILTER, { replace: true });
              }}
            >
              {text.takeAway}
            </Button>
          )}
        </Empty>
      )}
      <ul className="mt-2 divide-y divide-rule border-y border-rule empty:hidden">
        {traces.map((trace) => (
          <li key={trace.id}>
            <TraceRow trace={trace} />
          </li>
        ))}
      </ul>
    </div>
  );
}

function TraceRow({ trace }: { trace: GraphTrace }): ReactNode {
  const { href } = useAddress();
  const { context, event } = trace;
  return (
    <Link
      href={href({ id: trace.id })}
      ref={focusIfOpened(trace.id)}
      data-trace
      onClick={() => {
        opened.id = trace.id;
      }}
      onKeyDown={moveWithArrows}
      className="block px-2 py-2.5 transition-colors hover:bg-card"
    >
      <span className="flex flex-wrap items-baseline gap-x-3">
        <TypeMark type={trace.type} />
        <span className="line-clamp-2 min-w-0 flex-1 basis-60 [overflow-wrap:anywhere]">
          <Marked text={event.whatHappened === "" ? trace.action || text.untold : event.whatHappened} />
        </span>
      </span>
      {event.why !== "" && <Marked className="mt-0.5 line-clamp-1 text-base text-ink-soft" text={event.why} />}
      <span className="mt-0.5 flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft">
        <When at={trace.timestamp} />
        {context.agent !== "" && <span>{context.agent}</span>}
        {context.feature !== "" && <span>{context.feature}</span>}
        {trace.rule !== "" && <span className="[overflow-wrap:anywhere]">{trace.rule}</span>}
      </span>
    </Link>
  );
}

function NotYet({ query }: { query: ReturnType<typeof useTraces> }): ReactNode {
  if (query.isError) return <QueryError title={text.failed} query={query} />;
  return (
    <Loading label={text.loading}>
      <div className="mt-6 flex flex-col gap-3">
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
        <Skeleton className="h-16" />
      </div>
    </Loading>
  );
}

/** Who comes back from a trace goes on where they were in the list. */
const opened: { id: string | null } = { id: null };

function focusIfOpened(id: string): (row: HTMLElement | null) => void {
  return (row) => {
    if (row === null || opened.id !== id) return;
    opened.id = null;
    row.focus();
  };
}

/** The arrow keys go through the list. */
function moveWithArrows(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const rows = [...document.querySelectorAll<HTMLElement>("[data-trace]")];
  const at = rows.findIndex((row) => row === event.currentTarget);
  rows[at + step]?.focus();
}
