/** The parts of the Memory page: what is remembered, the documents, and how memories are chosen. */

import type { ReactNode } from "react";

import { locale } from "../../locale/words";
import { strings } from "../../strings";
import { More } from "../../ui/button";
import { Answered } from "../../ui/data/answered";
import { Fact, Facts, Figures } from "../../ui/data/facts";
import { formatDay, formatMoment } from "../../ui/data/when";
import { Bars } from "../../ui/plots/bars";
import { Section } from "../../ui/section";
import { Skeleton } from "../../ui/skeleton";
import { TabPanel, Tabs } from "../../ui/tabs";
import type { MemoryOutcomes, MemoryOverview, MemoryPolicyNow, MemoryPolicyStep } from "../../wire/generated";
import { DocumentsTab } from "./documents";
import { TABS, useAddress, useOverview, usePolicies } from "./hooks";
import { MemoriesTab } from "./memories";

const text = strings.memory;

export default function MemoryPage(): ReactNode {
  const { tab, go } = useAddress();
  return (
    <div className="flex flex-col">
      <CycleStrip />
      <Tabs
        label={text.tabs.label}
        value={tab}
        tabs={TABS.map((name) => [name, text.tabs[name]])}
        onChange={(chosen) => {
          go({ tab: chosen === "memories" ? null : chosen });
        }}
      >
        <TabPanel value="memories">
          <MemoriesTab />
        </TabPanel>
        <TabPanel value="documents">
          <DocumentsTab />
        </TabPanel>
        <TabPanel value="policies">
          <PoliciesTab />
        </TabPanel>
      </Tabs>
    </div>
  );
}

const cycleText = strings.memory.cycle;
/** On a phone it stands below everything else: who comes here there comes to search. */
const PLACE = "mt-6 max-sm:order-last max-sm:mt-12";

/** The memory at a glance: how much it holds, and what its four phases did. */
function CycleStrip(): ReactNode {
  return (
    <div className={PLACE}>
      <Answered query={useOverview()} words={cycleText} skeleton={<Skeleton className="h-24" />}>
        {(overview) => <Strip overview={overview} />}
      </Answered>
    </div>
  );
}

function Strip({ overview }: { overview: MemoryOverview }): ReactNode {
  const { totals, logs, cycle } = overview;
  const behind = logs.reduce((sum, log) => sum + Math.max(log.lastSeq - log.indexed, 0), 0);
  const figures = [
    {
      key: "held",
      name: cycleText.held,
      value: totals.memories.toLocaleString(locale()),
      note: behind > 0 ? cycleText.behind(behind) : cycleText.heldDetail(totals.superseded),
    },
    ...cycle.map(({ phase, events, last }) => ({
      key: phase,
      name: cycleText.phases[phase],
      value: events.toLocaleString(locale()),
      note: last === null ? cycleText.never : cycleText.last(formatDay(last)),
    })),
  ];
  return (
    <section aria-label={cycleText.heading}>
      <Figures columns={5} figures={figures} />
      <p className="mt-2 text-base text-ink-soft [overflow-wrap:anywhere]">
        {cycleText.log} <code className="text-[0.9em]">{logs[0]?.path}</code>
        {overview.embedder !== null && ` · ${overview.embedder} · ${overview.backends.join(", ")}`}
      </p>
    </section>
  );
}

// How memories are chosen for prompts: what holds now, what was tried, and whether it helps.

const policiesText = strings.memory.policies;

function PoliciesTab(): ReactNode {
  return (
    <Answered query={usePolicies()} words={policiesText} skeleton={<Skeleton className="h-64" />}>
      {({ current, history }) => (
        <>
          <p className="max-w-2xl text-ink-soft">{policiesText.lead}</p>
          <div className="mt-6 grid items-start gap-x-12 gap-y-8 lg:grid-cols-2">
            <Section heading={policiesText.now} className="">
              {current.map((policy) => (
                <Policy key={`${policy.role}/${policy.scope}`} now={policy} />
              ))}
            </Section>
            <Outcomes />
          </div>
          <Section heading={policiesText.history}>
            {history.length === 0 && <p className="text-ink-soft">{policiesText.noHistory}</p>}
            <ol className="divide-y divide-rule border-y border-rule empty:hidden">
              {history.toReversed().map((step) => (
                <Step key={`${step.at} ${step.role}/${step.scope} ${step.version} ${step.stage}`} step={step} />
              ))}
            </ol>
          </Section>
        </>
      )}
    </Answered>
  );
}

function nameOf({ role, scope }: { role: string; scope: string }): string {
  const named = [role === "*" ? policiesText.anyRole : policiesText.role(role), scope === "*" ? policiesText.anyScope : policiesText.scope(scope)];
  return named.join(", ");
}

function Policy({ now }: { now: MemoryPolicyNow }): ReactNode {
  const { weights, minScore } = now.policy;
  const name = nameOf(now);
  const bars = (["relevance", "importance", "recency", "access"] as const).map((signal) => ({
    name: policiesText.weights[signal],
    value: weights[signal],
    shown: weights[signal].toFixed(2),
  }));
  return (
    <div className="mt-3 border-t border-rule pt-3">
      <h3 className="text-lg">{name}</h3>
      <p className="mb-3 text-base text-ink-soft">
        {policiesText.version(now.version, now.stage)}: {now.reason}
      </p>
      <Bars caption={name} columns={{ name: policiesText.signal, value: policiesText.weight }} bars={bars} />
      <p className="mt-2 text-base text-ink-soft">{policiesText.minScore(minScore)}</p>
    </div>
  );
}

function Step({ step }: { step: MemoryPolicyStep }): ReactNode {
  const numbers = Object.entries(step.metrics);
  return (
    <li className="py-3">
      <p className="text-base text-ink-soft">
        {formatMoment(step.at)} · {nameOf(step)}
      </p>
      <p>
        <span className="font-semibold">{policiesText.version(step.version, step.stage)}:</span> {step.reason}
      </p>
      {numbers.length > 0 && (
        <More words={policiesText.numbers} className="">
          <Facts>
            {numbers.map(([name, value]) => (
              <Fact key={name} name={name.replaceAll("_", " ")}>
                {typeof value === "string" ? value : JSON.stringify(value)}
              </Fact>
            ))}
          </Facts>
        </More>
      )}
    </li>
  );
}

const METRICS = ["successRate", "retries", "corrections", "toolCalls"] as const;

/** Tasks with memories in the prompt against tasks without. */
function Outcomes(): ReactNode {
  const outcomes = useOverview().data?.outcomes;
  return (
    <Section heading={policiesText.outcomes} className="">
      {outcomes !== undefined && <Compared outcomes={outcomes} />}
    </Section>
  );
}

function Compared({ outcomes }: { outcomes: MemoryOutcomes }): ReactNode {
  const { withMemory, withoutMemory } = outcomes;
  if (withMemory.tasks + withoutMemory.tasks === 0) return <p className="text-ink-soft">{policiesText.noOutcomes}</p>;
  return (
    <>
      <p className="font-semibold">{policiesText.verdict[outcomes.verdict]}</p>
      <p className="text-base text-ink-soft">{outcomes.reason}</p>
      {METRICS.map((metric) => (
        <div key={metric} className="mt-4">
          <h3 className="mb-1 text-lg">{policiesText.metrics[metric]}</h3>
          <Bars
            caption={policiesText.metrics[metric]}
            columns={{ name: policiesText.metric, value: policiesText.metrics[metric] }}
            {...(metric === "successRate" && { most: 1 })}
            bars={[
              bar(`${policiesText.with} (${withMemory.tasks})`, withMemory[metric], metric, "accent"),
              bar(`${policiesText.without} (${withoutMemory.tasks})`, withoutMemory[metric], metric, "soft"),
            ]}
          />
        </div>
      ))}
    </>
  );
}

function bar(name: string, value: number, metric: (typeof METRICS)[number], look: "accent" | "soft") {
  const shown = metric === "successRate" ? `${Math.round(value * 100)} %` : value.toFixed(2);
  return { name, value, shown, look };
}
