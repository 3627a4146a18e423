/** The decisions as they come, with filters. */

import { Pause, Play } from "lucide-react";
import { type ReactNode, useState } from "react";

import type { GuardFilter } from "../../../api/guard-api";
import { guardStrings } from "../../../strings-guard";
import { Button } from "../../../ui/button";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { GuardDecisions, GuardOverview } from "../../../wire/generated";
import { Empty } from "../../../ui/empty";
import { isFiltered, NO_FILTER, useAddress } from "../address";
import { useDecisions } from "../hooks";
import { RestingSearch } from "../parts";
import { DecisionRow } from "./decision-row";
import { Filters } from "./filters";

const text = guardStrings.list;
const FIRST = 30;
const MOST = 500;

interface DecisionListProps {
  overview: GuardOverview;
  isLive: boolean;
  onLive: (isLive: boolean) => void;
}

export function DecisionList({ overview, isLive, onLive }: DecisionListProps): ReactNode {
  const { filter, go } = useAddress();
  const [shown, setShown] = useState({ key: "", count: FIRST });
  const key = JSON.stringify(filter);
  const limit = shown.key === key ? shown.count : FIRST;
  const found = useDecisions(filter, limit, isLive);
  const since = useFirstSeen(key, found.isPlaceholderData ? undefined : found.data);
  return (
    <section aria-labelledby="guard-decisions" className="mt-10">
      <div className="flex flex-wrap items-center justify-between gap-3">
        <h2 id="guard-decisions" className="text-xl">
          {text.heading}
        </h2>
        <LiveSwitch isLive={isLive} onLive={onLive} />
      </div>
      <div className="mt-3">
        <RestingSearch key={filter.query === "" ? "empty" : "words"} words={text} initial={filter.query} go={go} />
      </div>
      <Filters overview={overview} filter={filter} go={go} />
      {found.data === undefined ? (
        <NotYet query={found} />
      ) : (
        <Found found={found.data} filter={filter} since={since} isBusy={found.isPlaceholderData}>
          {found.data.decisions.length < found.data.total && limit < MOST && (
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
        </Found>
      )}
    </section>
  );
}

/** When the newest decision was made that was there at first; what is later is new. */
function useFirstSeen(key: string, found: GuardDecisions | undefined): string | null {
  const [first, setFirst] = useState<{ key: string; at: string } | null>(null);
  if (found !== undefined && first?.key !== key) {
    setFirst({ key, at: found.decisions[0]?.at ?? "" });
  }
  return first?.key === key ? first.at : null;
}

function LiveSwitch({ isLive, onLive }: { isLive: boolean; onLive: (isLive: boolean) => void }): ReactNode {
  return (
    <div className="flex items-center gap-3">
      <span className={isLive ? "flex items-center gap-2 text-base text-ink-soft" : "text-base text-ink-soft"}>
        {isLive && <span aria-hidden className="size-2.5 animate-pulse rounded-full bg-ok motion-reduce:animate-none" data-live />}
        {isLive ? text.live : text.paused}
      </span>
      <Button
        look="quiet"
        onClick={() => {
          onLive(!isLive);
        }}
      >
        {isLive ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
        {isLive ? text.pause : text.goOn}
      </Button>
    </div>
  );
}

interface FoundProps {
  found: GuardDecisions;
  filter: GuardFilter;
  since: string | null;
  isBusy: boolean;
  children: ReactNode;
}

function Found({ found: { decisions, total }, filter, since, isBusy, children }: FoundProps): ReactNode {
  const { id, go } = useAddress();
  const fresh = since === null ? 0 : decisions.filter(({ at }) => at > since).length;
  return (
    <div aria-busy={isBusy} className="mt-5">
      <p role="status" className={total === 0 ? "sr-only" : "text-base text-ink-soft"}>
        {total === 0 ? text.nothing : text.count(decisions.length, total)}
        {fresh > 0 && ` · ${text.fresh(fresh)}`}
      </p>
      {total === 0 && (
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
        {decisions.map((entry) => (
          <DecisionRow key={entry.id} entry={entry} isOpen={entry.id === id} isNew={since !== null && entry.at > since} />
        ))}
      </ul>
      {children}
    </div>
  );
}

function NotYet({ query }: { query: ReturnType<typeof useDecisions> }): ReactNode {
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
