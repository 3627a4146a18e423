/** One run: what was asked and came of it, then its timeline, the run step by step, and its journal. */

import { ChevronLeft, ChevronRight, MessagesSquare } from "lucide-react";
import { type ReactNode, useCallback, useId, useMemo, useState } from "react";
import { Link } from "wouter";

import { TRACES_PATHS } from "../../../routes";
import { oneOf, useAddressParts } from "../../../ui/address-bar";
import { BackLink, Button, buttonClass, More } from "../../../ui/button";
import { Answered, Empty } from "../../../ui/data/answered";
import { Figures, Mark } from "../../../ui/data/facts";
import { When } from "../../../ui/data/when";
import { FormError } from "../../../ui/forms/field";
import { Marked } from "../../../ui/marked";
import { Section } from "../../../ui/section";
import { Skeleton, SkeletonRows } from "../../../ui/skeleton";
import { TabPanel, Tabs } from "../../../ui/tabs";
import type { TraceDetail, TraceEntry, TraceJournal } from "../../../wire/generated";
import { JOURNAL_PAGE, useEntry, useJournal, useRun, useRunNews } from "../hooks";
import { doorName, showCost, showCount, showShort, showTime, showTokens, StateMark } from "../marks";
import { traceStrings } from "../strings";
import { Replay } from "./replay";
import { stepStrings } from "./strings";
import { TimelineTab } from "./timeline-tab";

const text = traceStrings.one;
const TABS = { timeline: text.timeline, steps: text.steps, journal: text.journal };
const NAMES = ["timeline", "steps", "journal"] as const;
type Part = "tab" | "step" | "at" | "from";

export default function RunPage({ id }: { id: string }): ReactNode {
  const run = useRun(id);
  useRunNews(id);
  const { found, go } = useAddressParts<Part>();
  const tab = oneOf(found.get("tab"), TABS) ?? "timeline";
  const step = found.get("step");
  const goTo = useCallback(
    (at: number) => {
      go({ at: String(at), step: null }, { replace: true });
    },
    [go],
  );
  return (
    <div className="mt-4">
      <BackLink href={TRACES_PATHS.runs}>{text.back}</BackLink>
      <Answered query={run} words={text} skeleton={<Skeleton className="mt-4 h-96" />}>
        {(detail) => (
          <>
            <RunHead detail={detail} />
            <Tabs
              label={text.tabs}
              value={tab}
              onChange={(chosen) => {
                go({ tab: chosen === "timeline" ? null : chosen, step: null });
              }}
              tabs={NAMES.map((name) => [name, TABS[name]] as const)}
            >
              <TabPanel value="timeline">
                <TimelineTab
                  key={step}
                  detail={detail}
                  nowUs={run.dataUpdatedAt * 1000}
                  first={step}
                  onReplay={(chosen) => {
                    go({ tab: "steps", step: chosen, at: null });
                  }}
                />
              </TabPanel>
              <TabPanel value="steps">
                <Replay
                  id={id}
                  at={wholeNumber(found.get("at"))}
                  step={step}
                  goTo={goTo}
                  onTree={(chosen) => {
                    go({ tab: null, step: chosen, at: null });
                  }}
                />
              </TabPanel>
              <TabPanel value="journal">
                <Journal
                  id={id}
                  after={wholeNumber(found.get("from"))}
                  goTo={(after) => {
                    go({ from: after === 0 ? null : String(after) });
                  }}
                />
              </TabPanel>
            </Tabs>
          </>
        )}
      </Answered>
    </div>
  );
}

function wholeNumber(given: string | null): number {
  const read = Number(given);
  return Number.isSafeInteger(read) && read > 0 ? read : 0;
}

const LONG = 280;

/** A run at a glance: what was asked, how it stands, time, tokens and cost. */
function RunHead({ detail }: { detail: TraceDetail }): ReactNode {
  const { run, prompt, output } = detail;
  return (
    <header className="mt-2">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-3">
        <div className="min-w-0 flex-1 basis-80">
          <h2 className="line-clamp-3 text-2xl [overflow-wrap:anywhere]">{run.title === "" ? traceStrings.list.untitled : run.title}</h2>
          <p className="mt-1 flex flex-wrap items-baseline gap-x-3 text-base text-ink-soft">
            <StateMark run={run} />
            <When as="moment" at={run.createdAt} />
            <span>{doorName(run.door)}</span>
            <span className="[overflow-wrap:anywhere]">{text.by(run.agent, run.source)}</span>
          </p>
          {run.reason !== null && <Marked className="mt-1 block text-fail" text={run.reason} />}
          {run.state === "running" && (
            <p role="status" className="mt-1 text-base text-ink-soft">
              {text.live}
            </p>
          )}
        </div>
        {run.door === "plan" && (
          <Link href={`/plan?session=${encodeURIComponent(run.session)}`} className={buttonClass("quiet")}>
            <MessagesSquare aria-hidden className="size-4.5" />
            {text.session}
          </Link>
        )}
      </div>
      {prompt.trim().length > LONG && <Words name={text.asked} words={prompt} />}
      {output !== null && output !== "" && <Words name={text.answered} words={output} />}
      <Numbers detail={detail} />
    </header>
  );
}

function Words({ name, words }: { name: string; words: string }): ReactNode {
  return (
    <More words={name}>
      <div className="mt-1 max-h-96 overflow-y-auto rounded-lg border border-line bg-card p-4 whitespace-pre-wrap">{words}</div>
    </More>
  );
}

function Numbers({ detail: { run, spans } }: { detail: TraceDetail }): ReactNode {
  const sums = useMemo(
    () => ({ read: sum(spans.tokensIn), written: sum(spans.tokensOut), cost: knownCost(spans) }),
    [spans],
  );
  return (
    <Figures
      className="mt-5"
      label={text.figures}
      columns={4}
      figures={[
        { key: "took", name: text.took, value: showTime(spans.lengths[0] ?? 0) },
        { key: "turns", name: text.turns, value: showCount(run.turns), note: text.spans(spans.steps.length - 1) },
        { key: "tokens", name: text.tokens, value: showShort(sums.read + sums.written), note: showTokens(sums.read, sums.written) },
        { key: "cost", name: text.cost, value: run.source === "local" ? traceStrings.units.free : showCost(run.costUsd ?? sums.cost, run.costUsd === null) },
      ]}
    />
  );
}

/** What the calls cost whose price is known. */
function knownCost({ kinds, costs }: TraceDetail["spans"]): number {
  return sum(costs.map((cost, place) => (kinds[place] === "model" ? (cost ?? 0) : 0)));
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}

const journalText = stepStrings.journal;

interface JournalProps {
  id: string;
  /** The number of the entry before the first that is shown. */
  after: number;
  goTo: (after: number) => void;
}

/** The journal as it is kept: a page of entries at a time, each opened where it is wanted. */
function Journal({ id, after, goTo }: JournalProps): ReactNode {
  const journal = useJournal(id, after);
  return (
    <Section heading={journalText.heading} lead={journalText.lead} className="">
      <Answered query={journal} words={journalText} skeleton={<SkeletonRows />}>
        {(page) =>
          page.total === 0 ? (
            <Empty title={journalText.empty} hint={journalText.emptyHint} />
          ) : (
            <div aria-busy={journal.isPlaceholderData}>
              <Pages page={page} after={after} goTo={goTo} />
              <ol className="divide-y divide-rule border-y border-rule">
                {page.entries.map((entry) => (
                  <li key={entry.seq} className="py-2">
                    <Entry id={id} entry={entry} />
                  </li>
                ))}
              </ol>
            </div>
          )
        }
      </Answered>
    </Section>
  );
}

function Pages({ page, after, goTo }: { page: TraceJournal } & Pick<JournalProps, "after" | "goTo">): ReactNode {
  const last = Math.min(after + JOURNAL_PAGE, page.total);
  return (
    <nav data-unprinted aria-label={journalText.pages} className="mb-2 flex flex-wrap items-center gap-3">
      <span role="status" className="text-base text-ink-soft">
        {journalText.range(after + 1, last, page.total)}
      </span>
      {page.total > JOURNAL_PAGE && (
        <>
          <Button
            look="quiet"
            disabled={after === 0}
            onClick={() => {
              goTo(Math.max(after - JOURNAL_PAGE, 0));
            }}
          >
            <ChevronLeft aria-hidden className="size-4.5" />
            {journalText.earlier}
          </Button>
          <Button
            look="quiet"
            disabled={last >= page.total}
            onClick={() => {
              goTo(after + JOURNAL_PAGE);
            }}
          >
            {journalText.later}
            <ChevronRight aria-hidden className="size-4.5" />
          </Button>
        </>
      )}
    </nav>
  );
}

function Entry({ id, entry }: { id: string; entry: TraceEntry }): ReactNode {
  const [isOpen, setOpen] = useState(false);
  const { seq, step, kind } = entry;
  return (
    <div className="grid grid-cols-[3.5rem_minmax(0,1fr)] gap-x-3 text-base">
      <span className="text-right text-ink-soft tabular-nums">{seq}</span>
      <div className="min-w-0">
        <p className="flex flex-wrap items-baseline justify-between gap-x-4">
          <code className="[overflow-wrap:anywhere]">{step}</code>
          <Mark tone={kind === "intent" ? "soft" : "ok"}>{journalText.kinds[kind]}</Mark>
        </p>
        <More words={journalText.show} about={journalText.about(seq, step)} onToggle={setOpen} className="">
          {isOpen && <Body id={id} entry={entry} />}
        </More>
      </div>
    </div>
  );
}

function Body({ id, entry }: { id: string; entry: TraceEntry }): ReactNode {
  const [isWanted, setWanted] = useState(false);
  const whole = useEntry(id, entry.seq, isWanted);
  const failure = useId();
  const shown = whole.data ?? entry;
  return (
    <>
      <pre className="mt-1 rounded bg-line/50 px-3 py-2 text-[0.9em] [overflow-wrap:anywhere] whitespace-pre-wrap">{pretty(shown.body)}</pre>
      {whole.isError && <FormError id={failure} error={whole.error} />}
      {shown.leftOut > 0 && (
        <Button
          look="quiet"
          className="mt-2"
          disabled={whole.isFetching}
          onClick={() => {
            setWanted(true);
          }}
        >
          {journalText.all(shown.leftOut)}
        </Button>
      )}
    </>
  );
}

/** JSON with lines and indents; what is cut off or no JSON stays as it is. */
function pretty(body: string): string {
  try {
    return JSON.stringify(JSON.parse(body) as unknown, null, 2);
  } catch {
    return body;
  }
}
