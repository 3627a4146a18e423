/** The features in columns, one for each state. */

import { Ban, CircleCheck, CircleDashed, FlaskConical, type LucideIcon, PencilLine } from "lucide-react";
import type { ReactNode } from "react";

import { orchestraStrings } from "../../../strings-guard-orchestra";
import { Marked } from "../../../ui/marked";
import type { OrchestraFeature } from "../../../wire/generated";
import { When } from "../when";

const text = orchestraStrings;
const COLUMNS = [
  { state: "pending", icon: CircleDashed, colour: "text-ink-soft" },
  { state: "coding", icon: PencilLine, colour: "text-accent" },
  { state: "testing", icon: FlaskConical, colour: "text-accent" },
  { state: "closed", icon: CircleCheck, colour: "text-ok" },
  { state: "blocked", icon: Ban, colour: "text-fail" },
] as const satisfies { state: OrchestraFeature["state"]; icon: LucideIcon; colour: string }[];

export function Columns({ features }: { features: readonly OrchestraFeature[] }): ReactNode {
  return (
    <div className="mt-5 grid items-start gap-3 sm:grid-cols-2 lg:grid-cols-5">
      {COLUMNS.map(({ state, icon: Icon, colour }) => {
        const found = features.filter((feature) => feature.state === state);
        return (
          <section key={state} aria-labelledby={`column-${state}`} className="rounded-lg border border-line bg-line/25 p-3">
            <h3 id={`column-${state}`} className="flex items-center gap-2 text-lg">
              <Icon aria-hidden className={`size-5 shrink-0 ${colour}`} />
              {text.states[state]}
              <span className="ml-auto text-base font-normal text-ink-soft tabular-nums">{found.length}</span>
            </h3>
            <p className="text-[0.9375rem] leading-snug text-ink-soft">{text.about[state]}</p>
            {found.length === 0 ? (
              <p className="mt-2 text-base text-ink-soft max-sm:hidden">{text.nobody}</p>
            ) : (
              <ul className="mt-3 flex flex-col gap-2">
                {found.map((feature) => (
                  <li key={feature.id}>
                    <FeatureCard feature={feature} />
                  </li>
                ))}
              </ul>
            )}
          </section>
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
            {text.since} <When at={feature.since} />
          </span>
        )}
      </p>
    </article>
  );
}
