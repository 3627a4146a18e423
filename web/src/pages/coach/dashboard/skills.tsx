/** How far the person has come in each skill: a chart, and the same as a table. */

import type { ReactNode } from "react";

import { coachStrings } from "../../../strings-coach";
import { type Column, DataTable } from "../../../ui/data-table";
import { EmptyLine } from "../../../ui/empty";
import { Section } from "../../../ui/section";
import { When } from "../../../ui/when";
import type { DashboardDreyfus, DreyfusRow } from "../../../wire/generated";
import { LEAST_AXES, Radar } from "./radar";

const text = coachStrings.dashboard;
const STAGES = Object.keys(text.stages);

interface SkillsProps {
  rows: DreyfusRow[];
  skills: DashboardDreyfus["payload"] | null;
}

export function Skills({ rows, skills }: SkillsProps): ReactNode {
  if (rows.length === 0) {
    return (
      <Section heading={text.skills} className="">
        <EmptyLine>{text.skillsEmpty}</EmptyLine>
      </Section>
    );
  }
  const overall = skills?.overallStage ?? null;
  return (
    <Section
      heading={text.skills}
      className=""
      aside={overall !== null && <p className="font-semibold text-door-ink">{text.skillsLead(stageName(overall))}</p>}
    >
      {skills !== null && skills.skillAreas.length >= LEAST_AXES && <Radar areas={skills.skillAreas} />}
      <StageTable rows={rows} />
    </Section>
  );
}

const COLUMNS: readonly Column<DreyfusRow>[] = [
  { key: "skill", name: text.columns.skill, cell: ({ skillArea }) => <b className="font-semibold">{skillArea}</b>, sortBy: ({ skillArea }) => skillArea },
  { key: "stage", name: text.columns.stage, cell: ({ stage }) => stageName(stage), sortBy: ({ stage }) => STAGES.indexOf(stage) },
  {
    key: "confidence",
    name: text.columns.confidence,
    align: "end",
    cell: ({ confidence }) => `${Math.round(confidence * 100)} %`,
    sortBy: ({ confidence }) => confidence,
  },
  {
    key: "assessed",
    name: text.columns.assessed,
    align: "end",
    cell: ({ assessedAt }) => <When at={assessedAt} />,
    sortBy: ({ assessedAt }) => assessedAt,
  },
];

export function StageTable({ rows }: { rows: DreyfusRow[] }): ReactNode {
  return (
    <DataTable caption={text.skillsTable} columns={COLUMNS} rows={rows} rowKey={({ skillArea }) => skillArea} narrow="stack" className="mt-3" />
  );
}

/** A stage as people write it. */
export function stageName(stage: string): string {
  return text.stages[stage] ?? stage;
}
