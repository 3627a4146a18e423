/** Tasks with memories in the prompt against tasks without. */

import type { ReactNode } from "react";

import { strings } from "../../../strings";
import { Bars } from "../../../ui/plots/bars";
import { Section } from "../../../ui/section";
import type { MemoryOutcomes } from "../../../wire/generated";
import { useOverview } from "../hooks";

const text = strings.memory.policies;
const METRICS = ["successRate", "retries", "corrections", "toolCalls"] as const;

export function Outcomes(): ReactNode {
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
