/** Learned guards: by stage, the patterns they are made of, and how well learning works. */

import { CircleAlert, CircleCheck, CircleDashed, CircleX } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { locale } from "../../../locale/words";
import { GUARD_PATHS } from "../../../routes";
import { type AddressParts, useAddressParts } from "../../../ui/address-bar";
import { Answered, Empty, Teaching } from "../../../ui/data/answered";
import { BoardColumn, Card, Facts, Mark, ShellCommand } from "../../../ui/data/facts";
import { When } from "../../../ui/data/when";
import { Marked } from "../../../ui/marked";
import { ShareBars } from "../../../ui/plots/bars";
import { Notice, Section } from "../../../ui/section";
import { Skeleton } from "../../../ui/skeleton";
import { TabPanel, Tabs } from "../../../ui/tabs";
import type {
  LearnedGuard,
  LearnedGuards,
  LearnedLessons,
  LearnedPattern,
  LearnedPrompt,
  LearnedProposal,
  LearnedSign,
} from "../../../wire/generated";
import { Diff } from "../../hosts/hosts";
import { MatcherParts, useGuards, useLessons } from "./guard-parts";
import { GuardView } from "./guard-view";
import { guardsStrings } from "./strings";

const text = guardsStrings;

export default function GuardsPage(): ReactNode {
  const { tab, id, go } = useAddress();
  if (id !== null) return <WithGuards>{(found) => <GuardView key={id} id={id} found={found} />}</WithGuards>;
  return (
    <Tabs
      label={text.tabs.label}
      className="mt-4"
      value={tab}
      tabs={TABS.map((name) => [name, text.tabs[name]])}
      onChange={(chosen) => {
        go({ tab: chosen === "stages" ? null : chosen });
      }}
    >
      <TabPanel value="stages">
        <WithGuards>{(found) => <Stages found={found} />}</WithGuards>
      </TabPanel>
      <TabPanel value="patterns">
        <PatternsTab />
      </TabPanel>
      <TabPanel value="report">
        <ReportTab />
      </TabPanel>
    </Tabs>
  );
}

type Guards = NonNullable<ReturnType<typeof useGuards>["data"]>;

function WithGuards({ children }: { children: (found: Guards) => ReactNode }): ReactNode {
  return (
    <Answered query={useGuards()} words={text} skeleton={<Skeleton className="h-96" />}>
      {children}
    </Answered>
  );
}

const stagesText = guardsStrings.stages;
const COLUMNS = ["proposed", "shadow", "production", "rolled_back"] as const;

/** The guards in columns, one for each stage. */
function Stages({ found: { guards, problems, promote, folder } }: { found: LearnedGuards }): ReactNode {
  if (guards.length === 0 && problems.length === 0) return <Teaching words={guardsStrings.empty} className="" />;
  return (
    <section aria-labelledby="guards-stages">
      <h2 id="guards-stages" className="text-xl">
        {stagesText.heading}
      </h2>
      {problems.length > 0 && <Problems problems={problems} />}
      <div className="mt-5 grid items-start gap-4 sm:grid-cols-2 xl:grid-cols-4">
        {COLUMNS.map((column) => (
          <Column key={column} name={column} guards={guards.filter(({ standing }) => columnOf(standing) === column)} />
        ))}
      </div>
      <p className="mt-5 text-base text-ink-soft [overflow-wrap:anywhere]">
        <Marked text={stagesText.policy[promote]} /> {stagesText.folder} <code className="text-[0.9em]">{folder}</code>
      </p>
    </section>
  );
}

function Column({ name, guards }: { name: (typeof COLUMNS)[number]; guards: LearnedGuard[] }): ReactNode {
  return (
    <BoardColumn {...stagesText.columns[name]} nobody={stagesText.nobody}>
      {guards.map((guard) => (
        <li key={guard.id}>
          <GuardCard guard={guard} />
        </li>
      ))}
    </BoardColumn>
  );
}

function Problems({ problems }: { problems: LearnedGuards["problems"] }): ReactNode {
  return (
    <Notice tone="fail" title={stagesText.problems} isUrgent className="mt-4 max-w-3xl">
      <ul>
        {problems.map((problem) => (
          <li key={problem}>
            <Marked text={problem} />
          </li>
        ))}
      </ul>
    </Notice>
  );
}

function columnOf(standing: LearnedGuard["standing"]): (typeof COLUMNS)[number] {
  return standing === "retired" ? "rolled_back" : standing;
}

const cardText = guardsStrings.card;

/** One guard in a column: what it says, how it did, and the way to everything about it. */
function GuardCard({ guard }: { guard: LearnedGuard }): ReactNode {
  const { shadow } = guard;
  const isWatched = guard.standing !== "proposed" && shadow.events > 0;
  return (
    <Link
      href={`${GUARD_PATHS.guards}?id=${encodeURIComponent(guard.id)}`}
      data-guard={guard.id}
      className="block rounded-md border border-line bg-card p-3 transition-colors hover:border-accent"
    >
      <span className="block font-semibold [overflow-wrap:anywhere]">{guard.id}</span>
      <Marked className="mt-1 line-clamp-3 text-[0.9375rem] leading-snug" text={guard.message} />
      <span className="mt-2 flex flex-col gap-0.5 text-[0.9375rem] text-ink-soft">
        <TrialMark trial={guard.trial} />
        {isWatched && (
          <span className="tabular-nums">
            {cardText.shadow(shadow.hits, shadow.events)}, {cardText.harmless(shadow.harmless)}
          </span>
        )}
        {guard.standing === "production" && shadow.hits > 0 && <span className="tabular-nums">{cardText.overridden(shadow.overridden, shadow.hits)}</span>}
        <span>
          {guardsStrings.decisions[guard.decision]} · {guardsStrings.scopes[guard.scope]}
        </span>
        <span>
          {guard.standing === "retired" && `${guardsStrings.standings.retired} · `}
          <When as="recent" at={guard.since} />
        </span>
      </span>
    </Link>
  );
}

function TrialMark({ trial }: { trial: LearnedGuard["trial"] }): ReactNode {
  const [Icon, colour, words] =
    trial === null
      ? [CircleDashed, "text-ink-soft", cardText.untried]
      : trial.sound
        ? [CircleCheck, "text-ok", cardText.sound]
        : [CircleX, "text-fail", cardText.unsound];
  return (
    <span className={`flex items-center gap-1.5 ${colour}`}>
      <Icon aria-hidden className="size-4 shrink-0" />
      {words}
    </span>
  );
}

const lessonsText = guardsStrings.lessons;

/** What agents do again and again, and the guards and prompts that could be made of it. */
function PatternsTab(): ReactNode {
  return (
    <Answered query={useLessons()} words={lessonsText} skeleton={<Skeleton className="h-96" />}>
      {(lessons) => <Lessons lessons={lessons} />}
    </Answered>
  );
}

function Lessons({ lessons: { patterns, proposals, prompts } }: { lessons: LearnedLessons }): ReactNode {
  return (
    <>
      <Section heading={lessonsText.heading} lead={lessonsText.lead} className="">
        {patterns.length === 0 ? <Empty title={lessonsText.none} hint={lessonsText.noneHint} /> : <PatternBars patterns={patterns} />}
      </Section>
      {proposals.length > 0 && <Proposals proposals={proposals} />}
      {prompts.length > 0 && <Prompts prompts={prompts} />}
    </>
  );
}

function PatternBars({ patterns }: { patterns: readonly LearnedPattern[] }): ReactNode {
  const most = Math.max(...patterns.map(({ weight }) => weight));
  return (
    <ShareBars
      isWordy
      caption={lessonsText.heading}
      columns={[lessonsText.columns[0], lessonsText.columns[1]]}
      rows={patterns.map((pattern) => ({
        id: pattern.key,
        name: <PatternName pattern={pattern} />,
        share: most === 0 ? 0 : pattern.weight / most,
        shown: pattern.weight.toLocaleString(locale(), { maximumFractionDigits: 1 }),
        note: (
          <>
            {lessonsText.count(pattern.count, pattern.sessions)}
            {pattern.overridden > 0 && `, ${lessonsText.overridden(pattern.overridden)}`}
            {" · "}
            {guardsStrings.scopes[pattern.scope]}
          </>
        ),
      }))}
    />
  );
}

function PatternName({ pattern: { agent, action, reason, shape, traces } }: { pattern: LearnedPattern }): ReactNode {
  const [first] = traces;
  return (
    <>
      <span className="font-semibold">{agent}</span> {action} <code className="text-[0.9em] [overflow-wrap:anywhere]">{shape}</code>
      {reason !== "" && <span className="block text-base [overflow-wrap:anywhere]">{reason}</span>}
      {first !== undefined && (
        <Link href={`${GUARD_PATHS.graph}?id=${encodeURIComponent(first)}`} className="block text-base text-accent underline">
          {lessonsText.traces}
        </Link>
      )}
    </>
  );
}

function Proposals({ proposals }: { proposals: readonly LearnedProposal[] }): ReactNode {
  return (
    <Section
      heading={lessonsText.proposals}
      lead={
        <>
          {lessonsText.proposalsLead} <ShellCommand command={lessonsText.command} />
        </>
      }
    >
      <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
        {proposals.map((proposal) => (
          <Card as="li" key={proposal.id}>
            <h3 className="text-lg [overflow-wrap:anywhere]">{proposal.id}</h3>
            <Marked className="mt-1 mb-2 block" text={proposal.message} />
            {proposal.why !== "" && <Marked className="mb-2 block text-base text-ink-soft" text={proposal.why} />}
            <Facts>
              <MatcherParts matcher={proposal.matcher} />
            </Facts>
          </Card>
        ))}
      </ul>
    </Section>
  );
}

function Prompts({ prompts }: { prompts: readonly LearnedPrompt[] }): ReactNode {
  return (
    <Section heading={lessonsText.prompts}>
      <ul className="flex flex-col gap-4">
        {prompts.map((prompt, place) => (
          <Card as="li" key={place}>
            <p>
              <span className="font-semibold">{prompt.agent}</span>{" "}
              <span className="text-base text-ink-soft">{lessonsText.tokens(prompt.tokens)}</span>
            </p>
            <Marked className="mt-1 mb-2 block" text={prompt.why} />
            <Diff change={{ path: prompt.file, kind: "changed", diff: prompt.diff }} isOpen />
          </Card>
        ))}
      </ul>
    </Section>
  );
}

const reportText = guardsStrings.report;

/** The known ways for learning to go wrong, each with its number. */
function ReportTab(): ReactNode {
  return (
    <Answered query={useLessons()} words={guardsStrings.lessons} skeleton={<Skeleton className="h-96" />}>
      {({ report }) => (
        <Section heading={reportText.heading} lead={reportText.lead} className="">
          <ul className="grid grid-cols-1 gap-4 lg:grid-cols-2">
            {report.map((sign) => (
              <Card as="li" key={sign.name}>
                <Sign sign={sign} />
              </Card>
            ))}
          </ul>
        </Section>
      )}
    </Answered>
  );
}

const LOOKS = {
  warning: [CircleAlert, "warn"],
  ok: [CircleCheck, "ok"],
  unknown: [CircleDashed, "soft"],
} as const;

function Sign({ sign }: { sign: LearnedSign }): ReactNode {
  const [icon, tone] = LOOKS[sign.verdict];
  return (
    <>
      <div className="flex flex-wrap items-baseline justify-between gap-x-4">
        <h3 className="text-lg">{sign.name}</h3>
        <Mark tone={tone} icon={icon}>
          {reportText.verdicts[sign.verdict]}
        </Mark>
      </div>
      <p className="text-base text-ink-soft">{sign.symptom}</p>
      <p className="mt-2 tabular-nums">
        <span className="text-xl font-semibold">{reportText.number(sign.measured)}</span>
        <span className="text-base text-ink-soft">
          {" "}
          · {reportText.threshold(reportText.number(sign.threshold))} · {reportText.cases(sign.cases)}
        </span>
      </p>
      <p className="mt-1 text-base">{sign.detection}</p>
      {sign.verdict === "warning" && <Marked className="mt-2 block border-l-4 border-warn pl-3" text={sign.advice} />}
    </>
  );
}

// What the address says: which part is shown, which guard is open.

const TABS = ["stages", "patterns", "report"] as const;
type Tab = (typeof TABS)[number];

interface AddressBar {
  tab: Tab;
  id: string | null;
  go: AddressParts<"tab" | "id">["go"];
}

function useAddress(): AddressBar {
  const { found, go } = useAddressParts();
  return { tab: TABS.find((tab) => tab === found.get("tab")) ?? "stages", id: found.get("id"), go };
}
