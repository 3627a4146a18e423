/** The orchestra board: where every feature stands, who works on it, and how it got there. */

import { keepPreviousData, useQuery, type UseQueryResult } from "@tanstack/react-query";
import {
  Ban,
  CircleCheck,
  CircleDashed,
  FlaskConical,
  type LucideIcon,
  Minus,
  PencilLine,
  TrendingDown,
  TrendingUp,
} from "lucide-react";
import { type ReactNode, useState } from "react";

import { locale, words } from "../../locale/words";
import { useServices } from "../../services";
import { More } from "../../ui/button";
import { Answered, Empty, ShowMore, Teaching, useShown } from "../../ui/data/answered";
import { BoardColumn, Card, CommandText, Fact, Facts, Figures, Mark, type Tone, TONES } from "../../ui/data/facts";
import { When } from "../../ui/data/when";
import { Choice } from "../../ui/forms/choice";
import { Marked } from "../../ui/marked";
import { RowPlot } from "../../ui/plots/row-plot";
import { Section } from "../../ui/section";
import { Skeleton } from "../../ui/skeleton";
import type {
  LearnedMetric,
  LearnedMetrics,
  OrchestraBoard,
  OrchestraFeature,
  OrchestraHandoff,
  OrchestraHandoffs,
  OrchestraRun,
} from "../../wire/generated";

// The texts of the orchestra board: features, runs, handoffs, and whether work goes better.

const plural = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString(locale())} ${count === 1 ? one : many}`;

export const orchestraStrings = words("guardOrchestra", {
  loading: "Reading the board…",
  failed: "The board could not be read",
  heading: "Orchestra",
  noGoal: "No goal was written down.",
  running: "At work",
  resting: "Nobody is at work",
  next: "Next",
  done: (closed: number, all: number) => `${closed} of ${plural(all, "feature")} closed`,

  states: {
    pending: "Pending",
    coding: "Coding",
    testing: "Testing",
    closed: "Closed",
    blocked: "Blocked",
  } satisfies Record<OrchestraFeature["state"], string>,
  about: {
    pending: "waits for its turn",
    coding: "an agent writes it",
    testing: "another agent tests it",
    closed: "tested and merged",
    blocked: "needs a person",
  } satisfies Record<OrchestraFeature["state"], string>,
  nobody: "None.",
  attempt: (count: number) => `attempt ${count}`,
  since: "since",

  figures: {
    label: "The orchestra in numbers",
    closed: "Closed",
    closedOf: (all: number) => `of ${plural(all, "feature")}`,
    runs: "Runs of agents",
    runsNote: "kept with what they returned",
    judged: "Changes judged",
    judgedNote: "by a second reader, over change and task",
    vetoed: "Vetoed",
    veto: (share: number | null) => (share === null ? "nothing was judged yet" : `${Math.round(share * 100)}% of what was judged`),
    blocked: "Blocked",
    blockedNote: "after two retries",
  },

  runs: {
    heading: "Runs",
    none: "No agent has run yet.",
    outcome: "Outcome",
    vetoed: "vetoed",
    attempt: (count: number) => `attempt ${count}`,
    took: (seconds: number) => (seconds < 60 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`),
    still: "at work",
    returned: "What it returned",
    showMore: "Show more",
  },

  handoffs: {
    heading: "Handoffs",
    lead: "Every order from one agent to the next, as it was checked on both ends.",
    none: "Nothing was handed over yet.",
    loading: "Reading handoffs…",
    failed: "The handoffs could not be read",
    events: {
      sent: "Sent",
      received: "Accepted",
      refused: "Refused",
      returned: "Returned",
      failed: "Failed",
    } satisfies Record<OrchestraHandoff["event"], string>,
    feature: "Feature",
    everyFeature: "Every feature",
    count: (shown: number, total: number) => (shown === total ? plural(total, "line") : `The newest ${shown} of ${plural(total, "line")}`),
    showMore: "Show more",
    key: "Key",
    before: "Before it",
    after: "After it",
    rollback: "If it fails",
    files: "Files",
    artifacts: "Passed along",
    timeout: "Time",
    seconds: (count: number) => `${count.toLocaleString(locale())} s`,
    next: "Then",
    previous: "Came from",
    criteria: "Counts as done",
  },

  metrics: {
    heading: "Does work go better?",
    lead: "The same numbers before and after guards were learned.",
    since: "Compared at the first guard that blocked,",
    loading: "Reading the metrics…",
    failed: "The metrics could not be read",
    none: "There is not enough to compare yet.",
    noneHint: "Numbers appear once agents have worked before and after the first guard was promoted. `paige guard report` shows the same.",
    sessions: (before: number, after: number) => `${plural(before, "session")} before, ${after.toLocaleString(locale())} after.`,
    before: "Before",
    after: "After",
    target: "Aim",
    columns: ["When", "Value"],
    value: (value: number | null, unit: string) =>
      value === null ? "not measured" : unit === "share" ? `${Math.round(value * 100)}%` : value.toLocaleString(locale(), { maximumFractionDigits: 2 }) + (unit === "" ? "" : ` ${unit}`),
    point: (name: string, value: string) => `${name}: ${value}`,
    verdicts: { better: "better", worse: "worse", same: "no change", unknown: "too little to say" },
    met: "aim reached",
  },

  empty: {
    title: "No orchestra has played here yet.",
    lead: "Give Paige a goal: features are broken down, coded, tested and closed by agents, each in a worktree of its own.",
    steps: [
      { title: "Say what you want", command: 'paige orchestra init "a shop for books"', text: "makes the list of features." },
      { title: "Let it play", command: "paige orchestra run", text: "until every feature is closed or blocked." },
      { title: "Watch", command: "paige orchestra status --watch", text: "in the terminal, or stay on this page." },
    ],
  },
});

const text = orchestraStrings;

export default function OrchestraPage(): ReactNode {
  return (
    <Answered query={useBoard()} words={text} skeleton={<Skeleton className="mt-6 h-96" />}>
      {(board) => (
        <>
          {board.begun ? <Board board={board} /> : <Teaching words={text.empty} />}
          <Metrics />
        </>
      )}
    </Answered>
  );
}

function Board({ board }: { board: OrchestraBoard }): ReactNode {
  return (
    <>
      <Head board={board} />
      <Columns features={board.features} />
      <BoardFigures board={board} />
      <Runs runs={board.runs} />
      <Handoffs features={board.features} />
    </>
  );
}

function Head({ board }: { board: OrchestraBoard }): ReactNode {
  return (
    <section aria-labelledby="orchestra-goal" className="mt-6">
      <div className="flex flex-wrap items-start justify-between gap-x-6 gap-y-2">
        <h2 id="orchestra-goal" className="max-w-3xl min-w-0 flex-1 basis-80 text-xl">
          {board.goal === "" ? text.heading : board.goal}
        </h2>
        <p className="flex items-center gap-2 text-base text-ink-soft">
          {board.running && <span aria-hidden className="size-2.5 animate-pulse rounded-full bg-ok motion-reduce:animate-none" />}
          {board.running ? text.running : text.resting}
        </p>
      </div>
      {board.next !== null && (
        <p className="mt-2">
          <span className="font-semibold">{text.next}: </span>
          <Marked text={board.next.sentence} />
        </p>
      )}
      {board.waits !== "" && (
        <p className="mt-2 border-l-4 border-warn pl-3">
          <Marked text={board.waits} />
        </p>
      )}
    </section>
  );
}

const figuresText = orchestraStrings.figures;

/** The orchestra in five numbers. */
function BoardFigures({ board: { features, runs, vetoes } }: { board: OrchestraBoard }): ReactNode {
  const count = (state: string): number => features.filter((feature) => feature.state === state).length;
  const figures = [
    { name: figuresText.closed, value: count("closed"), note: figuresText.closedOf(features.length) },
    { name: figuresText.blocked, value: count("blocked"), note: figuresText.blockedNote },
    { name: figuresText.runs, value: runs.length, note: figuresText.runsNote },
    { name: figuresText.judged, value: vetoes.judged, note: figuresText.judgedNote },
    { name: figuresText.vetoed, value: vetoes.vetoed, note: figuresText.veto(vetoes.judged === 0 ? null : vetoes.vetoed / vetoes.judged) },
  ];
  return <Figures label={figuresText.label} columns={5} className="mt-8" figures={figures.map((each) => ({ ...each, key: each.name }))} />;
}

const COLUMNS = [
  { state: "pending", icon: CircleDashed, tone: "soft" },
  { state: "coding", icon: PencilLine, tone: "accent" },
  { state: "testing", icon: FlaskConical, tone: "accent" },
  { state: "closed", icon: CircleCheck, tone: "ok" },
  { state: "blocked", icon: Ban, tone: "fail" },
] as const satisfies { state: OrchestraFeature["state"]; icon: LucideIcon; tone: Tone }[];

/** The features in columns, one for each state. */
function Columns({ features }: { features: readonly OrchestraFeature[] }): ReactNode {
  return (
    <div className="mt-5 grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-5">
      {COLUMNS.map(({ state, icon: Icon, tone }) => {
        const found = features.filter((feature) => feature.state === state);
        return (
          <BoardColumn
            key={state}
            title={
              <>
                <Icon aria-hidden className={`size-5 shrink-0 ${TONES[tone]}`} />
                {text.states[state]}
              </>
            }
            about={text.about[state]}
            nobody={text.nobody}
          >
            {found.map((feature) => (
              <li key={feature.id}>
                <FeatureCard feature={feature} />
              </li>
            ))}
          </BoardColumn>
        );
      })}
    </div>
  );
}

function FeatureCard({ feature }: { feature: OrchestraFeature }): ReactNode {
  const isAtWork = feature.state === "coding" || feature.state === "testing";
  return (
    <article data-feature={feature.id} className={`rounded-md border bg-card p-3 ${isAtWork ? "border-l-4 border-line border-l-spine" : "border-line"}`}>
      <p className="text-[0.875rem] text-ink-soft [overflow-wrap:anywhere]">{feature.id}</p>
      <p className="leading-snug font-semibold [overflow-wrap:anywhere]">{feature.title === "" ? feature.id : feature.title}</p>
      {feature.step !== "" && <Marked className="mt-1 block text-[0.9375rem] leading-snug" text={feature.step} />}
      {feature.reason !== "" && <Marked className="mt-1 block text-[0.9375rem] leading-snug text-fail" text={feature.reason} />}
      <p className="mt-1 text-[0.9375rem] leading-snug text-ink-soft">
        {[feature.agent, feature.attempts > 0 ? text.attempt(feature.attempts) : ""].filter((each) => each !== "").join(" · ")}
        {feature.since !== null && isAtWork && (
          <span className="block">
            {text.since} <When as="recent" at={feature.since} />
          </span>
        )}
      </p>
    </article>
  );
}

const handoffsText = orchestraStrings.handoffs;
const FIRST = 20;
const MOST = 500;
const COLOURS: Record<OrchestraHandoff["event"], string> = {
  sent: "text-ink",
  received: "text-accent",
  refused: "text-fail",
  returned: "text-ok",
  failed: "text-fail",
};

/** The log of handoffs: who was asked for what, what had to hold, and what became of it. */
function Handoffs({ features }: { features: readonly OrchestraFeature[] }): ReactNode {
  const [feature, setFeature] = useState<string | null>(null);
  const [limit, showMore] = useShown(feature ?? "", FIRST, MOST);
  const found = useHandoffs(feature, limit);
  return (
    <Section
      heading={handoffsText.heading}
      lead={handoffsText.lead}
      aside={
        <Choice
          label={handoffsText.feature}
          isInline
          any={handoffsText.everyFeature}
          value={feature}
          options={features.map(({ id, title }) => [id, title === "" ? id : `${id} ${title}`])}
          onChoose={setFeature}
        />
      }
    >
      <Answered query={found} words={handoffsText} skeleton={<Skeleton className="h-40" />}>
        {(page) => (
          <>
            <Lines found={page} />
            {page.handoffs.length < page.total && showMore !== null && (
              <ShowMore words={handoffsText.showMore} isBusy={found.isPlaceholderData} onMore={showMore} />
            )}
          </>
        )}
      </Answered>
    </Section>
  );
}

function Lines({ found: { handoffs, total } }: { found: OrchestraHandoffs }): ReactNode {
  if (total === 0) return <p className="text-ink-soft">{handoffsText.none}</p>;
  return (
    <>
      <p role="status" className="text-base text-ink-soft">
        {handoffsText.count(handoffs.length, total)}
      </p>
      <ol className="mt-1 divide-y divide-rule border-y border-rule">
        {handoffs.map((handoff) => (
          <li key={`${handoff.key} ${handoff.event} ${handoff.at}`}>
            <HandoffLine handoff={handoff} />
          </li>
        ))}
      </ol>
    </>
  );
}

function HandoffLine({ handoff }: { handoff: OrchestraHandoff }): ReactNode {
  return (
    <details className="group">
      <summary className="flex min-h-11 cursor-pointer flex-wrap items-baseline gap-x-3 py-2 hover:bg-card">
        <span className={`w-20 font-semibold ${COLOURS[handoff.event]}`}>{handoffsText.events[handoff.event]}</span>
        <span>{handoff.agent}</span>
        <span className="text-ink-soft">{handoff.task}</span>
        {handoff.feature !== "" && <span>{handoff.feature}</span>}
        <span className="ml-auto text-base text-ink-soft">
          <When as="recent" at={handoff.at} />
        </span>
        {handoff.said !== "" && <Marked className="w-full text-base text-ink-soft" text={handoff.said} />}
      </summary>
      <div className="pb-3 pl-4">
        <Facts>
          <Fact name={handoffsText.previous}>{handoff.previousState}</Fact>
          <Fact name={handoffsText.before}>{handoff.precondition}</Fact>
          <Fact name={handoffsText.files}>{handoff.files.join(", ")}</Fact>
          <Fact name={handoffsText.artifacts}>{handoff.artifacts.join(", ")}</Fact>
          <Fact name={handoffsText.criteria}>{criteriaOf(handoff)}</Fact>
          <Fact name={handoffsText.after}>{handoff.postcondition}</Fact>
          <Fact name={handoffsText.rollback}>{handoff.rollback}</Fact>
          <Fact name={handoffsText.timeout}>{handoff.timeoutS !== null && handoffsText.seconds(handoff.timeoutS)}</Fact>
          <Fact name={handoffsText.next}>{handoff.nextAgent}</Fact>
          <Fact name={handoffsText.key}>
            <code className="text-[0.9em]">{handoff.key}</code>
          </Fact>
        </Facts>
      </div>
    </details>
  );
}

function criteriaOf({ criteria }: OrchestraHandoff): string {
  return Object.entries(criteria)
    .map(([name, value]) => `${name}: ${JSON.stringify(value)}`)
    .join(", ");
}

const runsText = orchestraStrings.runs;
const RUNS_FIRST = 8;

/** The runs of agents, the newest first, each with what it returned. */
function Runs({ runs }: { runs: readonly OrchestraRun[] }): ReactNode {
  const [count, setCount] = useState(RUNS_FIRST);
  return (
    <Section heading={runsText.heading}>
      {runs.length === 0 && <p className="text-ink-soft">{runsText.none}</p>}
      <ul className="divide-y divide-rule border-y border-rule empty:hidden">
        {runs.slice(0, count).map((run) => (
          <li key={run.id} className="py-2">
            <Run run={run} />
          </li>
        ))}
      </ul>
      {runs.length > count && (
        <ShowMore
          words={runsText.showMore}
          isBusy={false}
          onMore={() => {
            setCount(count + 4 * RUNS_FIRST);
          }}
        />
      )}
    </Section>
  );
}

function Run({ run }: { run: OrchestraRun }): ReactNode {
  return (
    <>
      <p className="flex flex-wrap items-baseline gap-x-3">
        <span className="font-semibold">{run.agent}</span>
        {run.feature !== "" && <span>{run.feature}</span>}
        <span className={run.vetoed ? "font-semibold text-warn" : ""}>{run.vetoed ? runsText.vetoed : run.outcome}</span>
        <span className="text-base text-ink-soft">
          {[run.runner, run.attempt > 0 ? runsText.attempt(run.attempt) : "", tookOf(run)].filter((each) => each !== "").join(" · ")}
        </span>
        {run.started !== null && (
          <span className="ml-auto text-base text-ink-soft">
            <When as="recent" at={run.started} />
          </span>
        )}
      </p>
      {run.returned !== "" && (
        <More words={runsText.returned} className="mt-1">
          <CommandText text={run.returned} className="mt-1" />
        </More>
      )}
    </>
  );
}

function tookOf({ started, ended }: OrchestraRun): string {
  if (started === null) return "";
  if (ended === null) return runsText.still;
  return runsText.took((new Date(ended).getTime() - new Date(started).getTime()) / 1000);
}

const metricsText = orchestraStrings.metrics;

/** Whether work goes better since guards were learned: each number before and after, with its aim. */
function Metrics(): ReactNode {
  const metrics = useMetrics();
  return (
    <Section
      heading={metricsText.heading}
      lead={
        <>
          {metricsText.lead}
          {metrics.data?.since != null && (
            <>
              {" "}
              {metricsText.since} <When as="recent" at={metrics.data.since} />: {metricsText.sessions(metrics.data.sessionsBefore, metrics.data.sessionsAfter)}
            </>
          )}
        </>
      }
    >
      <Answered query={metrics} words={metricsText} skeleton={<Skeleton className="h-40" />}>
        {(found) => <All metrics={found.metrics} />}
      </Answered>
    </Section>
  );
}

function All({ metrics }: { metrics: readonly LearnedMetric[] }): ReactNode {
  if (metrics.every(({ before, after }) => before === null && after === null)) return <Empty title={metricsText.none} hint={metricsText.noneHint} />;
  return (
    <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
      {metrics.map((metric) => (
        <Card as="li" key={metric.name}>
          <div className="mb-2 flex flex-wrap items-baseline justify-between gap-x-4">
            <h3 className="text-lg">{metric.name}</h3>
            <Verdict metric={metric} />
          </div>
          <MetricPlot metric={metric} />
        </Card>
      ))}
    </ul>
  );
}

function MetricPlot({ metric }: { metric: LearnedMetric }): ReactNode {
  const shown = (value: number | null): string => metricsText.value(value, metric.unit);
  const rows = [
    { name: metricsText.before, value: metric.before, shown: shown(metric.before), fill: "fill-edge" },
    { name: metricsText.after, value: metric.after, shown: shown(metric.after), fill: "fill-spine" },
  ];
  return (
    <RowPlot
      name={metric.name}
      summary={`${metric.how} ${metricsText.target}: ${shown(metric.target)}.`}
      rows={rows}
      most={Math.max(metric.unit === "share" ? 1 : 0, metric.target, ...rows.map(({ value }) => value ?? 0)) || 1}
      aim={metric.target}
      left={64}
      right={92}
      read={(row) => metricsText.point(row.name, row.shown)}
      table={{
        columns: [...metricsText.columns],
        rows: [...rows.map((row) => [row.name, row.shown]), [metricsText.target, shown(metric.target)]],
      }}
    />
  );
}

function Verdict({ metric: { before, after, better, met } }: { metric: LearnedMetric }): ReactNode {
  if (before === null || after === null) return <span className="text-base text-ink-soft">{metricsText.verdicts.unknown}</span>;
  const isUp = after > before;
  const icon = after === before ? Minus : isUp ? TrendingUp : TrendingDown;
  const verdict = after === before ? "same" : isUp === (better === "higher") ? "better" : "worse";
  const tone = ({ same: "soft", better: "ok", worse: "fail" } as const)[verdict];
  return (
    <Mark tone={tone} icon={icon} className="text-base">
      {`${metricsText.verdicts[verdict]}${met === true ? `, ${metricsText.met}` : ""}`}
    </Mark>
  );
}

// The server's answers about the orchestra, as React hooks.

const ORCHESTRA_KEY = ["orchestra"] as const;
/** The orchestra plays in another process and writes to files: the page looks while somebody looks at it. */
const LOOK_AGAIN_MS = 2000;

function useBoard(): UseQueryResult<OrchestraBoard> {
  const { learning } = useServices().api;
  return useQuery({ queryKey: [...ORCHESTRA_KEY, "board"], queryFn: () => learning.board(), refetchInterval: LOOK_AGAIN_MS });
}

function useHandoffs(feature: string | null, limit: number): UseQueryResult<OrchestraHandoffs> {
  const { learning } = useServices().api;
  return useQuery({
    queryKey: [...ORCHESTRA_KEY, "handoffs", feature, limit],
    queryFn: () => learning.handoffs(feature, limit),
    placeholderData: keepPreviousData,
    refetchInterval: LOOK_AGAIN_MS,
  });
}

function useMetrics(): UseQueryResult<LearnedMetrics> {
  const { learning } = useServices().api;
  return useQuery({ queryKey: ["guards", "metrics"], queryFn: () => learning.metrics() });
}
