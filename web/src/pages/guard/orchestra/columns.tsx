/** The features in columns, one for each state. */

import { Ban, CircleCheck, CircleDashed, FlaskConical, type LucideIcon, PencilLine } from "lucide-react";
import type { ReactNode } from "react";

import { orchestraStrings } from "../../../strings-guard-orchestra";
import { type Tone, TONES } from "../../../ui/badge";
import { BoardColumn } from "../../../ui/board";
import { Marked } from "../../../ui/marked";
import { When } from "../../../ui/when";
import type { OrchestraFeature } from "../../../wire/generated";

const text = orchestraStrings;
const COLUMNS = [
  { state: "pending", icon: CircleDashed, tone: "soft" },
  { state: "coding", icon: PencilLine, tone: "accent" },
  { state: "testing", icon: FlaskConical, tone: "accent" },
  { state: "closed", icon: CircleCheck, tone: "ok" },
  { state: "blocked", icon: Ban, tone: "fail" },
] as const satisfies { state: OrchestraFeature["state"]; icon: LucideIcon; tone: Tone }[];

export function Columns({ features }: { features: readonly OrchestraFeature[] }): ReactNode {
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
