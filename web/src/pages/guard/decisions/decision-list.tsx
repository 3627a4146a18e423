/** The decisions as they come, with filters. */

import { Pause, Play } from "lucide-react";
import { type ReactNode, useState } from "react";

import type { GuardFilter } from "../../../api/guard-api";
import { guardStrings } from "../../../strings-guard";
import { isFiltered } from "../../../ui/address-bar";
import { Answered } from "../../../ui/answered";
import { Button } from "../../../ui/button";
import { FoundList } from "../../../ui/found-list";
import { RestingSearch } from "../../../ui/search-field";
import { Section } from "../../../ui/section";
import { ShowMore, useShown } from "../../../ui/shown";
import { SkeletonRows } from "../../../ui/skeleton";
import type { GuardDecisions, GuardOverview } from "../../../wire/generated";
import { NO_FILTER, useAddress } from "../address";
import { useDecisions } from "../hooks";
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
  const key = JSON.stringify(filter);
  const [limit, showMore] = useShown(key, FIRST, MOST);
  const found = useDecisions(filter, limit, isLive);
  const since = useFirstSeen(key, found.isPlaceholderData ? undefined : found.data);
  return (
    <Section heading={text.heading} aside={<LiveSwitch isLive={isLive} onLive={onLive} />}>
      <RestingSearch key={filter.query === "" ? "empty" : "words"} words={text} initial={filter.query} go={go} />
      <Filters overview={overview} filter={filter} go={go} />
      <Answered query={found} words={text} skeleton={<SkeletonRows className="mt-6" />}>
        {(page) => (
          <Found found={page} filter={filter} since={since} isBusy={found.isPlaceholderData}>
            {page.decisions.length < page.total && showMore !== null && (
              <ShowMore words={text.showMore} isBusy={found.isPlaceholderData} onMore={showMore} />
            )}
          </Found>
        )}
      </Answered>
    </Section>
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
        {isLive && <span aria-hidden className="size-2.5 animate-pulse rounded-full bg-ok motion-reduce:animate-none" />}
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
    <div className="mt-5">
      <FoundList
        isBusy={isBusy}
        count={total === 0 ? null : text.count(decisions.length, total)}
        remark={fresh > 0 ? ` · ${text.fresh(fresh)}` : ""}
        words={text}
        isFiltered={isFiltered(filter)}
        onTakeAway={() => {
          go(NO_FILTER, { replace: true });
        }}
      >
        {decisions.map((entry) => (
          <DecisionRow key={entry.id} entry={entry} isOpen={entry.id === id} isNew={since !== null && entry.at > since} />
        ))}
      </FoundList>
      {children}
    </div>
  );
}
