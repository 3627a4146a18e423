/** How far the person has come in each skill: a chart, and the same as a table. */

import type { ReactNode } from "react";

import { coachStrings } from "../../../strings-coach";
import type { DashboardDreyfus, DreyfusRow } from "../../../wire/generated";
import { When } from "../../../ui/when";
import { LEAST_AXES, Radar } from "./radar";
import { Empty, Section } from "./section";

const text = coachStrings.dashboard;

interface SkillsProps {
  rows: DreyfusRow[];
  skills: DashboardDreyfus["payload"] | null;
}

export function Skills({ rows, skills }: SkillsProps): ReactNode {
  if (rows.length === 0) {
    return (
      <Section title={text.skills}>
        <Empty>{text.skillsEmpty}</Empty>
      </Section>
    );
  }
  const overall = skills?.overallStage ?? null;
  return (
    <Section title={text.skills} aside={overall !== null && <p className="font-semibold text-door-ink">{text.skillsLead(stageName(overall))}</p>}>
      {skills !== null && skills.skillAreas.length >= LEAST_AXES && <Radar areas={skills.skillAreas} />}
      <StageTable rows={rows} />
    </Section>
  );
}

export function StageTable({ rows }: { rows: DreyfusRow[] }): ReactNode {
  const { columns } = text;
  return (
    <div className="mt-3 overflow-x-auto">
      <table className="w-full text-left text-base">
        <caption className="sr-only">{text.skillsTable}</caption>
        <thead>
          <tr className="border-b border-edge text-ink-soft">
            <th scope="col" className="py-1.5 pr-3">{columns.skill}</th>
            <th scope="col" className="py-1.5 pr-3">{columns.stage}</th>
            <th scope="col" className="py-1.5 pr-3 text-right max-sm:sr-only">{columns.confidence}</th>
            <th scope="col" className="py-1.5 text-right max-sm:sr-only">{columns.assessed}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map(({ skillArea, stage, confidence, assessedAt }) => (
            <tr key={skillArea} className="border-b border-rule">
              <th scope="row" className="py-1.5 pr-3 font-semibold">{skillArea}</th>
              <td className="py-1.5 pr-3 whitespace-nowrap">{stageName(stage)}</td>
              <td className="py-1.5 pr-3 text-right tabular-nums max-sm:sr-only">{Math.round(confidence * 100)} %</td>
              <td className="py-1.5 text-right whitespace-nowrap max-sm:sr-only">
                <When at={assessedAt} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** A stage as people write it. */
export function stageName(stage: string): string {
  return text.stages[stage] ?? stage;
}
