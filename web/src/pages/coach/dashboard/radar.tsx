/** The skills as a chart: one axis for each, five rings for the stages. */

import type { ReactNode } from "react";

import { coachStrings } from "../../../strings-coach";
import type { SkillArea } from "../../../wire/generated";

const text = coachStrings.dashboard;
const WIDTH = 440;
const HEIGHT = 300;
const RADIUS = 116;
const MIDDLE = { x: WIDTH / 2, y: HEIGHT / 2 };
const LONGEST = 16;

/** With fewer axes there is no area to draw. */
export const LEAST_AXES = 3;

export function Radar({ areas }: { areas: SkillArea[] }): ReactNode {
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
export function pointAt(axis: number, axes: number, share: number): [number, number] {
  const angle = (2 * Math.PI * axis) / axes - Math.PI / 2;
  const round = (value: number): number => Math.round(value * 10) / 10;
  return [round(MIDDLE.x + Math.cos(angle) * RADIUS * share), round(MIDDLE.y + Math.sin(angle) * RADIUS * share)];
}
