/** How far the person has come in each skill: a chart, and the same as a table. */

import { Dumbbell } from "lucide-react";
import type { ReactNode } from "react";
import { Link } from "wouter";

import { buttonClass } from "../../../ui/button";
import { EmptyLine } from "../../../ui/data/answered";
import { type Column, DataTable } from "../../../ui/data/data-table";
import { When } from "../../../ui/data/when";
import { Section } from "../../../ui/section";
import type { DashboardDreyfus, DreyfusRow, KataSummary, SkillArea } from "../../../wire/generated";
import { coachStrings } from "../strings";

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
function stageName(stage: string): string {
  return text.stages[stage] ?? stage;
}

// The skills as a chart: one axis for each, five rings for the stages.

const WIDTH = 440;
const HEIGHT = 300;
const RADIUS = 116;
const MIDDLE = { x: WIDTH / 2, y: HEIGHT / 2 };
const LONGEST = 16;

/** With fewer axes there is no area to draw. */
const LEAST_AXES = 3;

function Radar({ areas }: { areas: SkillArea[] }): ReactNode {
  const rings = [0.2, 0.4, 0.6, 0.8, 1];
  const corners = areas.map(({ score }, at) => pointAt(at, areas.length, score));
  return (
    <svg viewBox={`0 0 ${WIDTH} ${HEIGHT}`} role="img" aria-label={text.chart(areas.length)} className="mx-auto block w-full max-w-lg">
      {rings.map((share) => (
        <polygon
          key={share}
          points={areas.map((_, at) => pointAt(at, areas.length, share).join(",")).join(" ")}
          fill="none"
          stroke="var(--rule)"
        />
      ))}
      {areas.map(({ name }, at) => {
        const [x, y] = pointAt(at, areas.length, 1);
        return <line key={name} x1={MIDDLE.x} y1={MIDDLE.y} x2={x} y2={y} stroke="var(--rule)" />;
      })}
      <polygon
        points={corners.map((corner) => corner.join(",")).join(" ")}
        fill="color-mix(in srgb, var(--spine) 32%, transparent)"
        stroke="var(--door-ink)"
        strokeWidth="2"
        strokeLinejoin="round"
      />
      {corners.map(([x, y], at) => (
        <circle key={areas[at]?.name} cx={x} cy={y} r="4" fill="var(--door-ink)" />
      ))}
      {areas.map(({ name }, at) => {
        const [x, y] = pointAt(at, areas.length, 1.12);
        const anchor = Math.abs(x - MIDDLE.x) < 12 ? "middle" : x > MIDDLE.x ? "start" : "end";
        return (
          <text key={name} x={x} y={y} dy="0.35em" textAnchor={anchor} fontSize="14" fill="var(--ink)">
            {name.length > LONGEST ? `${name.slice(0, LONGEST - 1)}…` : name}
          </text>
        );
      })}
    </svg>
  );
}

/** A place on an axis; the first axis points up. */
function pointAt(axis: number, axes: number, share: number): [number, number] {
  const angle = (2 * Math.PI * axis) / axes - Math.PI / 2;
  const round = (value: number): number => Math.round(value * 10) / 10;
  return [round(MIDDLE.x + Math.cos(angle) * RADIUS * share), round(MIDDLE.y + Math.sin(angle) * RADIUS * share)];
}

// Katas made from what sessions showed.

export function Katas({ katas }: { katas: KataSummary[] }): ReactNode {
  return (
    <Section heading={text.katas}>
      {katas.length === 0 ? <EmptyLine>{text.katasEmpty}</EmptyLine> : <KataList katas={katas} />}
    </Section>
  );
}

export function KataList({ katas }: { katas: KataSummary[] }): ReactNode {
  return (
    <ul className="divide-y divide-rule border-y border-rule">
      {katas.map(({ id, title, topic, attemptsCount, bestLevel, constraintCount }) => (
        <li key={id} className="flex flex-wrap items-center gap-x-5 gap-y-2 py-3">
          <Dumbbell aria-hidden className="size-5 shrink-0 text-door-ink" />
          <div className="min-w-0 flex-1 basis-56">
            <h3 className="font-sans text-[1.0625rem] font-semibold">{title}</h3>
            <p className="text-base text-ink-soft">
              {[
                topic,
                text.attempts(attemptsCount),
                ...(bestLevel === null ? [] : [text.bestLevel(bestLevel)]),
                ...(constraintCount === 0 ? [] : [text.constraints(constraintCount)]),
              ].join(" · ")}
            </p>
          </div>
          <Link
            href={`/coach/practice/${encodeURIComponent(id)}`}
            aria-label={text.practiseNamed(title)}
            className={buttonClass("quiet")}
          >
            {text.practise}
          </Link>
        </li>
      ))}
    </ul>
  );
}
