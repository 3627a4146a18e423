/** How memories are chosen for prompts: what holds now, what was tried, and whether it helps. */

import type { ReactNode } from "react";

import { strings } from "../../strings";
import { Answered } from "../../ui/data/answered";
import { Fact, Facts } from "../../ui/data/facts";
import { formatMoment } from "../../ui/data/when";
import { More } from "../../ui/more";
import { Bars } from "../../ui/plots/bars";
import { Section } from "../../ui/section";
import { Skeleton } from "../../ui/skeleton";
import type { MemoryOutcomes, MemoryPolicyNow, MemoryPolicyStep } from "../../wire/generated";
import { useOverview, usePolicies } from "./hooks";

const text = strings.memory.policies;

export function PoliciesTab(): ReactNode {
  return (
    <Answered query={usePolicies()} words={text} skeleton={<Skeleton className="h-64" />}>
      {({ current, history }) => (
        <>
          <p className="max-w-2xl text-ink-soft">{text.lead}</p>
          <div className="mt-6 grid items-start gap-x-12 gap-y-8 lg:grid-cols-2">
            <Section heading={text.now} className="">
              {current.map((policy) => (
                <Policy key={`${policy.role}/${policy.scope}`} now={policy} />
              ))}
            </Section>
            <Outcomes />
          </div>
          <Section heading={text.history}>
            {history.length === 0 && <p className="text-ink-soft">{text.noHistory}</p>}
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
  const named = [role === "*" ? text.anyRole : text.role(role), scope === "*" ? text.anyScope : text.scope(scope)];
  return named.join(", ");
}

function Policy({ now }: { now: MemoryPolicyNow }): ReactNode {
  const { weights, minScore } = now.policy;
  const name = nameOf(now);
  const bars = (["relevance", "importance", "recency", "access"] as const).map((signal) => ({
    name: text.weights[signal],
    value: weights[signal],
    shown: weights[signal].toFixed(2),
  }));
  return (
    <div className="mt-3 border-t border-rule pt-3">
      <h3 className="text-lg">{name}</h3>
      <p className="mb-3 text-base text-ink-soft">
        {text.version(now.version, now.stage)}: {now.reason}
      </p>
      <Bars caption={name} columns={{ name: text.signal, value: text.weight }} bars={bars} />
      <p className="mt-2 text-base text-ink-soft">{text.minScore(minScore)}</p>
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
        <span className="font-semibold">{text.version(step.version, step.stage)}:</span> {step.reason}
      </p>
      {numbers.length > 0 && (
        <More words={text.numbers} className="">
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
    <Section heading={text.outcomes} className="">
      {outcomes !== undefined && <Compared outcomes={outcomes} />}
    </Section>
  );
}

function Compared({ outcomes }: { outcomes: MemoryOutcomes }): ReactNode {
  const { withMemory, withoutMemory } = outcomes;
  if (withMemory.tasks + withoutMemory.tasks === 0) return <p className="text-ink-soft">{text.noOutcomes}</p>;
  return (
    <>
      <p className="font-semibold">{text.verdict[outcomes.verdict]}</p>
      <p className="text-base text-ink-soft">{outcomes.reason}</p>
      {METRICS.map((metric) => (
        <div key={metric} className="mt-4">
          <h3 className="mb-1 text-lg">{text.metrics[metric]}</h3>
          <Bars
            caption={text.metrics[metric]}
            columns={{ name: text.metric, value: text.metrics[metric] }}
            {...(metric === "successRate" && { most: 1 })}
            bars={[
              bar(`${text.with} (${withMemory.tasks})`, withMemory[metric], metric, "accent"),
              bar(`${text.without} (${withoutMemory.tasks})`, withoutMemory[metric], metric, "soft"),
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
