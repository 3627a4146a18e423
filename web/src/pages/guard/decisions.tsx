/** What was decided: the last days in numbers, and every decision as it comes. */

import { clsx } from "clsx";
import { ChevronRight, Pause, Play, SlidersHorizontal } from "lucide-react";
import { type KeyboardEvent, type ReactNode, useState } from "react";
import { Link } from "wouter";

import { locale } from "../../locale/words";
import { GUARD_PATHS } from "../../routes";
import { isFiltered } from "../../ui/address-bar";
import { Button, More } from "../../ui/button";
import { Answered, FoundList, ShowMore, Teaching, useShown } from "../../ui/data/answered";
import { CommandText, Figures } from "../../ui/data/facts";
import { formatRecent, When } from "../../ui/data/when";
import { Chips, Choice } from "../../ui/forms/choice";
import { RestingSearch } from "../../ui/forms/search-field";
import { Marked } from "../../ui/marked";
import { longDay } from "../../ui/plots/scales";
import { StackedPlot } from "../../ui/plots/stacked-plot";
import { Section } from "../../ui/section";
import { Skeleton, SkeletonRows } from "../../ui/skeleton";
import { notify, notifyError } from "../../ui/toasts";
import type { GuardCounts, GuardDay, GuardDecisions, GuardEntry, GuardOverview } from "../../wire/generated";
import { useHosts } from "../hosts/hosts";
import type { GuardFilter } from "./api";
import { VerdictMark } from "./guard-page";
import { type AddressBar, NO_FILTER, useAddress, useDecisions, useOverview } from "./hooks";
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

// One decision: what was wanted, what came of it and why; opened, everything that is known about it.

const decisionRowText = guardStrings.row;
const LEARNED = "guard:";

interface DecisionRowProps {
  entry: GuardEntry;
  isOpen: boolean;
  isNew: boolean;
}

function DecisionRow({ entry, isOpen, isNew }: DecisionRowProps): ReactNode {
  const { go } = useAddress();
  const body = `decision-${entry.id}`;
  const isStopped = entry.verdict !== "passed";
  return (
    <li className={clsx("border-l-4", isOpen ? "border-l-accent bg-card" : isNew ? "border-l-spine" : "border-l-transparent")}>
      <button
        type="button"
        data-decision
        aria-expanded={isOpen}
        aria-controls={isOpen ? body : undefined}
        onClick={() => {
          go({ id: isOpen ? null : entry.id }, { replace: true });
        }}
        onKeyDown={moveWithArrows}
        className="group flex w-full gap-2 py-2.5 pr-2 pl-2 text-left transition-colors hover:bg-card"
      >
        <ChevronRight aria-hidden className={clsx("mt-1 size-5 shrink-0 text-ink-soft transition-transform", isOpen && "rotate-90")} />
        <span className="min-w-0 flex-1">
          <span className="flex flex-wrap items-baseline gap-x-3">
            <VerdictMark verdict={entry.verdict} />
            <Subject entry={entry} />
          </span>
          {isStopped && entry.reason !== "" && !isOpen && <Marked className="mt-0.5 line-clamp-2 block" text={entry.reason} />}
          <span className="mt-0.5 flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft">
            {isNew && <span className="font-semibold text-door-ink">{guardStrings.list.isNew}</span>}
            <When as="recent" at={entry.at} />
            <span>{guardStrings.clis[entry.cli] ?? entry.cli}</span>
            {entry.rule !== "" && <span className="[overflow-wrap:anywhere]">{entry.rule}</span>}
          </span>
        </span>
      </button>
      {isOpen && (
        <div id={body} className="pr-3 pb-4 pl-9">
          <Details entry={entry} />
        </div>
      )}
    </li>
  );
}

/** What it is about, as text: nothing in it is taken for markup. */
function Subject({ entry }: { entry: GuardEntry }): ReactNode {
  if (entry.subject === "") {
    return <span className="min-w-0 text-ink-soft">{guardStrings.events[entry.event] ?? entry.hostEvent}</span>;
  }
  return (
    <span className="line-clamp-2 min-w-0 flex-1 basis-60 [overflow-wrap:anywhere]">
      {!entry.isCommand && entry.tool !== "" && <span className="text-ink-soft">{entry.tool} </span>}
      <code className="text-[0.95em]">{entry.subject}</code>
    </span>
  );
}

function Details({ entry }: { entry: GuardEntry }): ReactNode {
  return (
    <>
      {entry.subject !== "" && <CommandText text={entry.subject} />}
      <dl className="mt-3 text-base">
        {entry.reason !== "" && <Fact name={decisionRowText.reason}>{<Marked text={entry.reason} />}</Fact>}
        {entry.instead !== "" && <Fact name={decisionRowText.instead}>{<Marked text={entry.instead} />}</Fact>}
        <Fact name={decisionRowText.rule}>{entry.rule === "" ? decisionRowText.noRule : <Rule rule={entry.rule} />}</Fact>
        {entry.tool !== "" && <Fact name={decisionRowText.tool}>{entry.tool}</Fact>}
        <Fact name={decisionRowText.event}>
          {guardStrings.events[entry.event] ?? entry.event}
          {entry.hostEvent !== "" && ` (${entry.hostEvent})`}
        </Fact>
        {entry.cwd !== "" && <Fact name={decisionRowText.cwd}>{<code className="text-[0.95em]">{entry.cwd}</code>}</Fact>}
        {entry.agent !== "" && <Fact name={decisionRowText.agent}>{entry.agent}</Fact>}
        {entry.mode !== "" && <Fact name={decisionRowText.mode}>{entry.mode}</Fact>}
        {entry.session !== "" && <Fact name={decisionRowText.session}>{entry.session}</Fact>}
        <Fact name={decisionRowText.id}>{<code className="text-[0.95em]">{entry.id}</code>}</Fact>
      </dl>
      <Actions entry={entry} />
    </>
  );
}

/** A guard that was learned has a page of its own: where it came from, and whom else it stopped. */
function Rule({ rule }: { rule: string }): ReactNode {
  const words = <code className="text-[0.95em]">{rule}</code>;
  if (!rule.startsWith(LEARNED)) return words;
  return (
    <Link href={`${GUARD_PATHS.guards}?id=${encodeURIComponent(rule.slice(LEARNED.length))}`} className="text-accent underline">
      {words}
    </Link>
  );
}

function Actions({ entry }: { entry: GuardEntry }): ReactNode {
  const { go } = useAddress();
  return (
    <div className="mt-3 flex flex-wrap gap-2">
      {entry.isCommand && entry.subject !== "" && (
        <>
          <Button
            look="quiet"
            onClick={() => {
              go({ tab: "explain", command: entry.subject, cwd: entry.cwd });
            }}
          >
            {decisionRowText.explain}
          </Button>
          <Button look="quiet" onClick={() => void copy(entry.subject)}>
            {decisionRowText.copy}
          </Button>
        </>
      )}
      {entry.rule !== "" && (
        <Button
          look="quiet"
          onClick={() => {
            go({ rule: entry.rule }, { replace: true });
          }}
        >
          {decisionRowText.onlyRule}
        </Button>
      )}
      {entry.session !== "" && (
        <Button
          look="quiet"
          onClick={() => {
            go({ session: entry.session }, { replace: true });
          }}
        >
          {decisionRowText.onlySession}
        </Button>
      )}
    </div>
  );
}

function Fact({ name, children }: { name: string; children: ReactNode }): ReactNode {
  return (
    <div className="grid grid-cols-[6.5rem_minmax(0,1fr)] gap-x-3 border-b border-rule py-1 last:border-0">
      <dt className="text-ink-soft">{name}</dt>
      <dd className="[overflow-wrap:anywhere]">{children}</dd>
    </div>
  );
}

async function copy(command: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(command);
    notify(decisionRowText.copied);
  } catch {
    notifyError(decisionRowText.copyFailed, { message: decisionRowText.copyFailed, hint: decisionRowText.copyFailedHint });
  }
}

/** The arrow keys go through the list. */
function moveWithArrows(event: KeyboardEvent): void {
  const step = event.key === "ArrowDown" ? 1 : event.key === "ArrowUp" ? -1 : 0;
  if (step === 0) return;
  event.preventDefault();
  const rows = [...document.querySelectorAll<HTMLElement>("[data-decision]")];
  const at = rows.findIndex((row) => row === event.currentTarget);
  rows[at + step]?.focus();
}
