/** The orchestra in five numbers. */

import type { ReactNode } from "react";

import { orchestraStrings } from "../../../strings-guard-orchestra";
import type { OrchestraBoard } from "../../../wire/generated";

const text = orchestraStrings.figures;

export function Figures({ board: { features, runs, vetoes } }: { board: OrchestraBoard }): ReactNode {
  const count = (state: string): number => features.filter((feature) => feature.state === state).length;
  const figures = [
    { name: text.closed, value: count("closed"), note: text.closedOf(features.length) },
    { name: text.blocked, value: count("blocked"), note: text.blockedNote },
    { name: text.runs, value: runs.length, note: text.runsNote },
    { name: text.judged, value: vetoes.judged, note: text.judgedNote },
    { name: text.vetoed, value: vetoes.vetoed, note: text.veto(vetoes.judged === 0 ? null : vetoes.vetoed / vetoes.judged) },
  ];
  return (
    <section aria-label={text.label} className="mt-8">
      <dl className="grid grid-cols-2 gap-px overflow-hidden rounded-lg border border-line bg-line lg:grid-cols-5">
        {figures.map(({ name, value, note }) => (
          <div key={name} className="flex flex-col bg-card px-4 py-2.5 max-lg:last:col-span-2">
            <dt className="font-semibold">{name}</dt>
            <dd className="flex flex-col">
              <span className="text-xl font-semibold tabular-nums">{value.toLocaleString()}</span>
              <span className="text-base leading-snug text-ink-soft">{note}</span>
            </dd>
          </div>
        ))}
      </dl>
    </section>
  );
}
