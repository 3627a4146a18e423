/** How memories are chosen for prompts: what holds now, what was tried, and whether it helps. */

import type { ReactNode } from "react";

import { strings } from "../../../strings";
import { QueryError } from "../../../ui/error-panel";
import { Loading, Skeleton } from "../../../ui/skeleton";
import type { MemoryPolicyNow, MemoryPolicyStep } from "../../../wire/generated";
import { Bars } from "../../../ui/plots/bars";
import { usePolicies } from "../hooks";
import { formatMoment } from "../../../ui/when";
import { Outcomes } from "./outcomes";

const text = strings.memory.policies;

export function PoliciesTab(): ReactNode {
  const policies = usePolicies();
  if (policies.data === undefined) {
    if (policies.isError) return <QueryError title={text.failed} query={policies} />;
    return (
      <Loading label={text.loading}>
        <Skeleton className="h-64" />
      </Loading>
    );
  }
  const { current, history } = policies.data;
  return (
    <>
      <p className="max-w-2xl text-ink-soft">{text.lead}</p>
      <div className="mt-6 grid items-start gap-x-12 gap-y-8 lg:grid-cols-2">
        <section aria-labelledby="policies-now">
          <h2 id="policies-now" className="text-xl">
            {text.now}
          </h2>
          {current.map((policy) => (
            <Policy key={`${policy.role}/${policy.scope}`} now={policy} />
          ))}
        </section>
        <Outcomes />
      </div>
      <section aria-labelledby="policies-history" className="mt-10">
        <h2 id="policies-history" className="text-xl">
          {text.history}
        </h2>
        {history.length === 0 && <p className="mt-2 text-ink-soft">{text.noHistory}</p>}
        <ol className="mt-2 divide-y divide-rule border-y border-rule empty:hidden">
          {history.toReversed().map((step) => (
            <Step key={`${step.at} ${step.role}/${step.scope} ${step.version} ${step.stage}`} step={step} />
          ))}
        </ol>
      </section>
    </>
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
        <details>
          <summary className="w-fit cursor-pointer text-base text-ink-soft hover:text-accent">{text.numbers}</summary>
          <dl className="mt-1 text-base">
            {numbers.map(([name, value]) => (
              <div key={name} className="grid grid-cols-[8rem_1fr] gap-x-3">
                <dt className="text-ink-soft">{name.replaceAll("_", " ")}</dt>
                <dd>{typeof value === "string" ? value : JSON.stringify(value)}</dd>
              </div>
            ))}
          </dl>
        </details>
      )}
    </li>
  );
}
