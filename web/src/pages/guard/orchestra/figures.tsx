/** The orchestra in five numbers. */

import type { ReactNode } from "react";

import { orchestraStrings } from "../../../strings-guard-orchestra";
import { Figures } from "../../../ui/figures";
import type { OrchestraBoard } from "../../../wire/generated";

const text = orchestraStrings.figures;

export function BoardFigures({ board: { features, runs, vetoes } }: { board: OrchestraBoard }): ReactNode {
  const count = (state: string): number => features.filter((feature) => feature.state === state).length;
  const figures = [
    { name: text.closed, value: count("closed"), note: text.closedOf(features.length) },
    { name: text.blocked, value: count("blocked"), note: text.blockedNote },
    { name: text.runs, value: runs.length, note: text.runsNote },
    { name: text.judged, value: vetoes.judged, note: text.judgedNote },
    { name: text.vetoed, value: vetoes.vetoed, note: text.veto(vetoes.judged === 0 ? null : vetoes.vetoed / vetoes.judged) },
  ];
  return <Figures label={text.label} columns={5} className="mt-8" figures={figures.map((each) => ({ ...each, key: each.name }))} />;
}
