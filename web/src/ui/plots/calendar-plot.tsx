/** Weeks as a grid of days. How much was done is told by the size of a square as well as by its colour. */

import type { ReactNode } from "react";

import { plotStrings } from "../strings";
import { Plot } from "./plot";
import { fullDay, monthName, weekdayName } from "./scales";

interface CalendarPlotProps {
  name: string;
  summary: string;
  values: Readonly<Record<string, number>>;
  today: string;
  read: (day: CalendarDay) => string;
  columns: [string, string];
  show: (value: number) => string;
}

const LEFT = 36;
const TOP = 22;
const SMALLEST = 18;
const LARGEST = 28;
const LEGEND_CELL = 20;
const MOST_WEEKS = 26;
const FILLS = ["fill-line/60", "fill-spine", "fill-spine", "fill-door-ink", "fill-door-ink"];

export function CalendarPlot({ name, summary, values, today, read, columns, show }: CalendarPlotProps): ReactNode {
  const shownIn = (width: number): Calendar => {
    const fitting = Math.floor((width - LEFT) / SMALLEST);
    return calendarOf(values, today, Math.max(Math.min(fitting, MOST_WEEKS), 4));
  };
  return (
    <Plot
      name={name}
      summary={summary}
      height={(width) => TOP + 7 * cellFor(width) + 4}
      points={(width) => shownIn(width).days.map(read)}
      first="last"
      keys={{ down: 1, right: 7 }}
      pointAt={(x, y, { width }) => {
        const [week, weekday] = [Math.floor((x - LEFT) / cellFor(width)), Math.floor((y - TOP) / cellFor(width))];
        const place = shownIn(width).days.findIndex((day) => day.week === week && day.weekday === weekday);
        return place < 0 ? null : place;
      }}
      legend={<Legend />}
      table={{ columns, rows: weekRows(calendarOf(values, today, MOST_WEEKS), show) }}
    >
      {({ width }, active) => <Cells calendar={shownIn(width)} active={active} size={cellFor(width)} />}
    </Plot>
  );
}

function cellFor(width: number): number {
  return Math.min(Math.max(Math.floor((width - LEFT) / MOST_WEEKS), SMALLEST), LARGEST);
}

function Cells({ calendar, active, size }: { calendar: Calendar; active: number | null; size: number }): ReactNode {
  return (
    <>
      {calendar.months.map(({ week, day }) => (
        <text key={day} x={LEFT + week * size} y={12} className="fill-ink-soft text-[13px]">
          {monthName(day)}
        </text>
      ))}
      {[0, 2, 4].map((weekday) => (
        <text key={weekday} x={0} y={TOP + weekday * size + size / 2} dy="0.35em" className="fill-ink-soft text-[13px]">
          {weekdayName(weekday).slice(0, 3)}
        </text>
      ))}
      {calendar.days.map(({ day, week, weekday, shade }, place) => (
        <Cell key={day} x={LEFT + week * size} y={TOP + weekday * size} size={size} shade={shade} isActive={place === active} />
      ))}
    </>
  );
}

interface CellProps {
  x: number;
  y: number;
  size: number;
  shade: number;
  isActive: boolean;
}

function Cell({ x, y, size, shade, isActive }: CellProps): ReactNode {
  const outer = size - 3;
  const inner = shade === 0 ? 0 : (outer * (shade + 2)) / (SHADES + 2);
  const inset = (outer - inner) / 2;
  return (
    <g>
      <rect x={x} y={y} width={outer} height={outer} rx={3} className={`fill-line/60 ${isActive ? "stroke-ink" : "stroke-transparent"}`} strokeWidth={2} />
      {inner > 0 && <rect x={x + inset} y={y + inset} width={inner} height={inner} rx={2.5} className={FILLS[shade]} />}
    </g>
  );
}

function Legend(): ReactNode {
  return (
    <span className="flex items-center gap-1.5 whitespace-nowrap">
      {plotStrings.less}
      <svg aria-hidden width={(SHADES + 1) * LEGEND_CELL} height={LEGEND_CELL}>
        {FILLS.map((_, shade) => (
          <Cell key={shade} x={shade * LEGEND_CELL} y={1} size={LEGEND_CELL} shade={shade} isActive={false} />
        ))}
      </svg>
      {plotStrings.more}
    </span>
  );
}

/** A row for every week with something in it. */
function weekRows({ days }: Calendar, show: (value: number) => string): string[][] {
  const weeks = new Map<number, { first: string; sum: number }>();
  for (const { day, week, value } of days) {
    const known = weeks.get(week);
    weeks.set(week, { first: known?.first ?? day, sum: (known?.sum ?? 0) + value });
  }
  return [...weeks.values()]
    .filter(({ sum }) => sum > 0)
    .map(({ first, sum }) => [plotStrings.weekOf(fullDay(first)), show(sum)]);
}

// The days of some weeks as a grid: a column a week, a row a weekday, Monday first.

const DAY_MS = 86_400_000;
const SHADES = 4;

interface CalendarDay {
  /** As 2026-05-01. */
  day: string;
  week: number;
  weekday: number;
  value: number;
  /** From 0, nothing, to `SHADES`, the most there was on a day. */
  shade: number;
}

interface CalendarMonth {
  week: number;
  /** Its first day that is shown. */
  day: string;
}

interface Calendar {
  days: CalendarDay[];
  months: CalendarMonth[];
  most: number;
}

/** The weeks that end with the one of `today`; days to come are left out. */
export function calendarOf(values: Readonly<Record<string, number>>, today: string, weeks: number): Calendar {
  const first = addDays(today, -weekdayOf(today) - 7 * (weeks - 1));
  const count = 7 * (weeks - 1) + weekdayOf(today) + 1;
  const names = Array.from({ length: count }, (_, place) => addDays(first, place));
  const most = Math.max(0, ...names.map((day) => values[day] ?? 0));
  const days = names.map((day, place) => {
    const value = values[day] ?? 0;
    return { day, week: Math.floor(place / 7), weekday: place % 7, value, shade: shadeOf(value, most) };
  });
  return { days, months: monthsOf(days), most };
}

/** Rounded up, so that anything at all is seen and the busiest day is darkest. */
export function shadeOf(value: number, most: number): number {
  if (value <= 0 || most <= 0) return 0;
  return Math.min(Math.ceil((value / most) * SHADES), SHADES);
}

/** The months above the weeks in which they begin; the first only if the next leaves it room. */
function monthsOf(days: readonly CalendarDay[]): CalendarMonth[] {
  const found: CalendarMonth[] = [];
  for (const { day, week, weekday } of days) {
    if (weekday !== 0) continue;
    const previous = found.at(-1);
    if (previous?.day.slice(0, 7) === day.slice(0, 7)) continue;
    if (previous !== undefined && week - previous.week < 3) found.pop();
    found.push({ week, day });
  }
  return found;
}

/** Monday is 0. */
export function weekdayOf(day: string): number {
  return (new Date(`${day}T00:00:00Z`).getUTCDay() + 6) % 7;
}

export function addDays(day: string, days: number): string {
  return new Date(Date.parse(`${day}T00:00:00Z`) + days * DAY_MS).toISOString().slice(0, 10);
}

/** How many days lie between two; negative when the second is the earlier one. */
export function daysBetween(from: string, to: string): number {
  return Math.round((Date.parse(`${to}T00:00:00Z`) - Date.parse(`${from}T00:00:00Z`)) / DAY_MS);
}
