/** What was decided: the last days in numbers, and every decision as it comes. */

import { Pause, Play, SlidersHorizontal } from "lucide-react";
import { type ReactNode, useState } from "react";

import { locale } from "../../locale/words";
import { isFiltered } from "../../ui/address-bar";
import { Button } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { FoundList, Teaching } from "../../ui/data/empty";
import { Figures } from "../../ui/data/figures";
import { ShowMore, useShown } from "../../ui/data/shown";
import { formatRecent } from "../../ui/data/when";
import { Chips } from "../../ui/forms/chip";
import { Choice } from "../../ui/forms/choice";
import { RestingSearch } from "../../ui/forms/search-field";
import { More } from "../../ui/more";
import { longDay } from "../../ui/plots/days";
import { StackedPlot } from "../../ui/plots/stacked-plot";
import { Section } from "../../ui/section";
import { Skeleton, SkeletonRows } from "../../ui/skeleton";
import type { GuardCounts, GuardDay, GuardDecisions, GuardOverview } from "../../wire/generated";
import { useHosts } from "../hosts/hosts";
import { type AddressBar, NO_FILTER, useAddress } from "./address";
import type { GuardFilter } from "./api";
import { DecisionRow } from "./decision-row";
import { useDecisions, useOverview } from "./hooks";
import { VerdictMark } from "./marks";
import { guardStrings } from "./strings";

const text = guardStrings.summary;

export function DecisionsTab(): ReactNode {
  const [isLive, setLive] = useState(true);
  const overview = useOverview(isLive);
  return (
    <Answered query={overview} words={text} skeleton={<Skeleton className="h-96" />}>
      {(found) =>
        Object.keys(found.clis).length === 0 ? (
          <NothingYet />
        ) : (
          <>
            <Summary overview={found} />
            <div className="mt-6">
              <DayPlot days={found.days} />
            </div>
            <DecisionList overview={found} isLive={isLive} onLive={setLive} />
          </>
        )
      }
    </Answered>
  );
}

const ORDER = ["denied", "asked", "changed", "passed", "fault"] as const satisfies (keyof GuardCounts)[];

/** The last days in five numbers. */
function Summary({ overview }: { overview: GuardOverview }): ReactNode {
  return (
    <Section heading={text.heading} className="">
      <Figures
        columns={5}
        figures={ORDER.map((verdict) => ({
          key: verdict,
          name: <VerdictMark verdict={verdict} />,
          value: overview.counts[verdict].toLocaleString(locale()),
          note: text.details[verdict],
        }))}
      />
      <p className="mt-2 text-base text-ink-soft [overflow-wrap:anywhere]">
        {text.folder} <code className="text-[0.9em]">{overview.folder}</code>
        {!overview.complete && ` · ${text.partial}`}
      </p>
    </Section>
  );
}

const plotText = guardStrings.plot;
const PARTS = (
  [
    ["denied", "fill-fail"],
    ["asked", "fill-warn"],
    ["changed", "fill-accent"],
    ["fault", "fill-ink"],
  ] as const satisfies [keyof GuardCounts, string][]
).map(([key, fill]) => ({ key, fill, name: guardStrings.verdicts[key] }));

/** Where Paige stepped in, day by day, as stacked bars; what was let through is in the numbers behind. */
function DayPlot({ days }: { days: GuardDay[] }): ReactNode {
  const counted = new Map(days.map(({ day, counts }) => [day, counts]));
  const countsOf = (day: string): GuardCounts => counted.get(day) ?? { denied: 0, asked: 0, changed: 0, fault: 0, passed: 0 };
  const total = days.reduce((sum, { counts }) => sum + PARTS.reduce((all, { key }) => all + counts[key], 0), 0);
  return (
    <StackedPlot
      name={plotText.name}
      summary={plotText.summary(total)}
      parts={PARTS}
      days={days.map(({ day, counts }) => ({ day, values: counts }))}
      read={({ day }) => plotText.point(longDay(day), countsOf(day))}
      columns={plotText.columns}
      row={({ day }) => {
        const { denied, asked, changed, fault, passed } = countsOf(day);
        return [denied, asked, changed, fault, passed].map(String);
      }}
    />
  );
}

const emptyText = guardStrings.empty;

/** Before any agent is guarded: what happens here, and how it begins. */
function NothingYet(): ReactNode {
  const { go } = useAddress();
  const hosts = useHosts();
  const isInstalled = hosts.data?.hosts.some(({ levels }) => levels.length > 0) === true;
  return (
    <Teaching words={isInstalled ? { title: emptyText.installed, lead: emptyText.installedHint } : emptyText} className="">
      <div className="mt-5 flex flex-wrap gap-2">
        {!isInstalled && (
          <Button
            onClick={() => {
              go({ tab: "hosts" });
            }}
          >
            {emptyText.toHosts}
          </Button>
        )}
        <Button
          look="quiet"
          onClick={() => {
            go({ tab: "explain" });
          }}
        >
          {emptyText.toExplain}
        </Button>
      </div>
    </Teaching>
  );
}

const listText = guardStrings.list;
const FIRST = 30;
const MOST = 500;

interface DecisionListProps {
  overview: GuardOverview;
  isLive: boolean;
  onLive: (isLive: boolean) => void;
}

/** The decisions as they come, with filters. */
function DecisionList({ overview, isLive, onLive }: DecisionListProps): ReactNode {
  const { filter, go } = useAddress();
  const key = JSON.stringify(filter);
  const [limit, showMore] = useShown(key, FIRST, MOST);
  const found = useDecisions(filter, limit, isLive);
  const since = useFirstSeen(key, found.isPlaceholderData ? undefined : found.data);
  return (
    <Section heading={listText.heading} aside={<LiveSwitch isLive={isLive} onLive={onLive} />}>
      <RestingSearch key={filter.query === "" ? "empty" : "words"} words={listText} initial={filter.query} go={go} />
      <Filters overview={overview} filter={filter} go={go} />
      <Answered query={found} words={listText} skeleton={<SkeletonRows className="mt-6" />}>
        {(page) => (
          <Found found={page} filter={filter} since={since} isBusy={found.isPlaceholderData}>
            {page.decisions.length < page.total && showMore !== null && (
              <ShowMore words={listText.showMore} isBusy={found.isPlaceholderData} onMore={showMore} />
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
        {isLive ? listText.live : listText.paused}
      </span>
      <Button
        look="quiet"
        onClick={() => {
          onLive(!isLive);
        }}
      >
        {isLive ? <Pause aria-hidden className="size-4" /> : <Play aria-hidden className="size-4" />}
        {isLive ? listText.pause : listText.goOn}
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
        count={total === 0 ? null : listText.count(decisions.length, total)}
        remark={fresh > 0 ? ` · ${listText.fresh(fresh)}` : ""}
        words={listText}
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

const VERDICTS = ["denied", "asked", "changed", "passed", "fault"] as const satisfies (keyof GuardCounts)[];

interface FiltersProps {
  overview: GuardOverview;
  filter: GuardFilter;
  go: AddressBar["go"];
}

/** Which decisions are shown: by result at once, by agent, session, rule and event one step further. */
function Filters({ overview, filter, go }: FiltersProps): ReactNode {
  const all = VERDICTS.reduce((sum, verdict) => sum + overview.counts[verdict], 0);
  const hasMore = [filter.cli, filter.session, filter.rule, filter.event].some((value) => value !== null);
  return (
    <>
      <Chips
        label={listText.verdict}
        className="mt-4"
        value={filter.verdict}
        all={listText.chip(listText.all, all)}
        options={VERDICTS.map((verdict) => [verdict, listText.chip(guardStrings.verdicts[verdict], overview.counts[verdict])])}
        onChoose={(verdict) => {
          go({ verdict }, { replace: true });
        }}
      />
      <More words={listText.more} icon={SlidersHorizontal} isOpen={hasMore} className="mt-3">
        <Choices overview={overview} filter={filter} go={go} />
      </More>
    </>
  );
}

function Choices({ overview, filter, go }: FiltersProps): ReactNode {
  const now = new Date();
  const choose = (name: "cli" | "session" | "rule" | "event") => (value: string | null) => {
    go({ [name]: value }, { replace: true });
  };
  const events = overview.events.map((name) => [name, guardStrings.events[name] ?? name] as const);
  return (
    <div className="mt-2 grid gap-4 sm:grid-cols-2 xl:grid-cols-4">
      <Choice
        label={listText.filters.cli}
        any={listText.any.cli}
        value={filter.cli}
        options={Object.keys(overview.clis).map((cli) => [cli, guardStrings.clis[cli] ?? cli])}
        onChoose={choose("cli")}
      />
      <Choice
        label={listText.filters.session}
        any={listText.any.session}
        value={filter.session}
        options={overview.sessions.map((each) => [
          each.session,
          listText.session(guardStrings.clis[each.cli] ?? each.cli, lastPart(each.cwd), formatRecent(each.last, now)),
        ])}
        onChoose={choose("session")}
      />
      <Choice
        label={listText.filters.rule}
        any={listText.any.rule}
        value={filter.rule}
        options={overview.rules.map((rule) => [rule, rule])}
        onChoose={choose("rule")}
      />
      <Choice
        label={listText.filters.event}
        any={listText.any.event}
        value={filter.event}
        options={[["any", listText.any.everything], ...events]}
        onChoose={choose("event")}
      />
    </div>
  );
}

function lastPart(path: string): string {
  return path.replace(/\/+$/, "").split("/").at(-1) ?? "";
}
