/** The traces that fit, with a search by meaning; arrow keys go through them, Enter opens one. */

import type { KeyboardEvent, ReactNode } from "react";
import { Link } from "wouter";

import { graphStrings } from "../../../strings-guard-graph";
import { isFiltered } from "../../../ui/address-bar";
import { Answered } from "../../../ui/answered";
import { FoundList } from "../../../ui/found-list";
import { Marked } from "../../../ui/marked";
import { RestingSearch } from "../../../ui/search-field";
import { Section } from "../../../ui/section";
import { ShowMore, useShown } from "../../../ui/shown";
import { SkeletonRows } from "../../../ui/skeleton";
import { When } from "../../../ui/when";
import type { GraphOverview, GraphTrace, GraphTraces } from "../../../wire/generated";
import { NO_FILTER, useAddress } from "./address";
import { Filters } from "./filters";
import { useTraces } from "./hooks";
import { TypeMark } from "./marks";

const text = graphStrings.list;
const FIRST = 40;
const MOST = 500;

export function TraceList({ overview }: { overview: GraphOverview }): ReactNode {
  const { filter, go } = useAddress();
  const [limit, showMore] = useShown(JSON.stringify(filter), FIRST, MOST);
  const found = useTraces(filter, limit);
  return (
    <Section heading={graphStrings.heading} className="mt-6">
      <RestingSearch key={filter.query === "" ? "empty" : "words"} words={text} initial={filter.query} go={go} />
      <Filters overview={overview} filter={filter} go={go} />
      <Answered query={found} words={text} skeleton={<SkeletonRows className="mt-6" />}>
        {(page) => (
          <>
            <Found found={page} isBusy={found.isPlaceholderData} />
            {page.traces.length < page.total && page.traces.length >= limit && showMore !== null && (
              <ShowMore words={text.showMore} isBusy={found.isPlaceholderData} onMore={showMore} />
            )}
          </>
        )}
      </Answered>
    </Section>
  );
}

function Found({ found: { traces, total }, isBusy }: { found: GraphTraces; isBusy: boolean }): ReactNode {
  const { filter, go } = useAddress();
  return (
    <div className="mt-5">
      <FoundList
        isBusy={isBusy}
        count={total === 0 ? null : `${text.count(traces.length, total)}, ${filter.query === "" ? text.newest : text.byMeaning}`}
        words={text}
        isFiltered={isFiltered(filter)}
        onTakeAway={() => {
          go(NO_FILTER, { replace: true });
        }}
      >
        {traces.map((trace) => (
          <li key={trace.id}>
            <TraceRow trace={trace} />
          </li>
        ))}
      </FoundList>
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
        <When as="recent" at={trace.timestamp} />
        {context.agent !== "" && <span>{context.agent}</span>}
        {context.feature !== "" && <span>{context.feature}</span>}
        {trace.rule !== "" && <span className="[overflow-wrap:anywhere]">{trace.rule}</span>}
      </span>
    </Link>
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
