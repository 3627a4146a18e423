/** Signs of runs and steps: an icon with a word, so that no colour has to be seen. */

import {
  Bot,
  CircleCheck,
  CirclePause,
  CircleX,
  Cpu,
  type LucideIcon,
  MessageCircleQuestionMark,
  PlugZap,
  Repeat,
  Route,
  ShieldCheck,
  Split,
  Wrench,
} from "lucide-react";
import type { ReactNode } from "react";

import { locale } from "../../locale/words";
import { Mark, type Tone } from "../../ui/data/facts";
import type { TraceRun } from "../../wire/generated";
import { traceStrings } from "./strings";

export const KIND_ICONS: Record<string, LucideIcon> = {
  run: Route,
  turn: Repeat,
  model: Cpu,
  tool: Wrench,
  hook: ShieldCheck,
  subagent: Bot,
  handoff: Split,
  gate: MessageCircleQuestionMark,
};

const STATES: Record<TraceRun["state"], { tone: Tone; icon: LucideIcon }> = {
  running: { tone: "accent", icon: Repeat },
  waiting: { tone: "warn", icon: CirclePause },
  ended: { tone: "ok", icon: CircleCheck },
  interrupted: { tone: "warn", icon: PlugZap },
};

export function StateMark({ run }: { run: Pick<TraceRun, "state" | "status"> }): ReactNode {
  const hasFailed = run.state === "ended" && run.status !== "success";
  const { tone, icon } = hasFailed ? { tone: "fail" as const, icon: CircleX } : STATES[run.state];
  const words = hasFailed ? statusName(run.status ?? "") : traceStrings.states[run.state];
  return (
    <Mark tone={tone} icon={icon}>
      {words}
    </Mark>
  );
}

export function statusName(status: string): string {
  return lookedUp(traceStrings.statuses, status, traceStrings.failed);
}

export function doorName(door: string): string {
  return lookedUp(traceStrings.doors, door, door === "" ? traceStrings.doors.other : door);
}

export function kindName(kind: string): string {
  return lookedUp(traceStrings.tree.kinds, kind, kind);
}

/** The words for a name that the server may also have given to something new. */
export function lookedUp(table: Readonly<Record<string, string>>, name: string, otherwise: string): string {
  return table[name] ?? otherwise;
}

// Time, tokens and money as people of this place read them.

const text = traceStrings.units;
const SECOND = 1_000_000;
const MINUTE = 60 * SECOND;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;

export function showCount(value: number): string {
  return value.toLocaleString(locale());
}

/** A large number in few letters: 12.3K. */
export function showShort(value: number): string {
  return new Intl.NumberFormat(locale(), { notation: "compact", maximumFractionDigits: 1 }).format(value);
}

/** US dollars; a small sum keeps two digits that mean something. */
export function showMoney(usd: number): string {
  const digits = usd === 0 || usd >= 0.1 ? 2 : usd >= 0.001 ? 4 : 6;
  return new Intl.NumberFormat(locale(), {
    style: "currency",
    currency: "USD",
    minimumFractionDigits: Math.min(digits, 4),
    maximumFractionDigits: digits,
  }).format(usd);
}

/** Money beside the lines of a plot: round, so with no more digits than it needs. */
export function showRoundMoney(usd: number): string {
  return new Intl.NumberFormat(locale(), { style: "currency", currency: "USD", minimumFractionDigits: 0, maximumSignificantDigits: 2 }).format(usd);
}

/** Money of which a part may not be known. */
export function showCost(usd: number | null, isPartly = false): string {
  if (usd === null || (usd === 0 && isPartly)) return text.costUnknown;
  return isPartly ? text.partly(showMoney(usd)) : showMoney(usd);
}

/** A length of time in microseconds. */
export function showTime(us: number): string {
  const shown = (value: number, digits = 0): string =>
    value.toLocaleString(locale(), { maximumFractionDigits: digits, minimumFractionDigits: digits });
  if (us < 1_000) return text.micro(shown(Math.max(us, 0)));
  if (us < SECOND) return text.milli(shown(us / 1_000));
  if (us < MINUTE) return text.seconds(shown(us / SECOND, 1));
  if (us < HOUR) return text.minutes(shown(Math.floor(us / MINUTE)), shown(Math.floor((us % MINUTE) / SECOND)));
  if (us < DAY) return text.hours(shown(Math.floor(us / HOUR)), shown(Math.floor((us % HOUR) / MINUTE)));
  return text.days(shown(Math.floor(us / DAY)), shown(Math.floor((us % DAY) / HOUR)));
}

/** The same in little room. */
export function showShortCost(usd: number, isPartly: boolean): string {
  if (!isPartly) return showMoney(usd);
  return usd === 0 ? text.short.unknown : text.short.partly(showMoney(usd));
}

export function showShare(share: number): string {
  return new Intl.NumberFormat(locale(), { style: "percent" }).format(share);
}

export function showShortTokens(read: number, written: number): string {
  return text.short.tokens(showShort(read), showShort(written));
}

export function showTokens(read: number, written: number): string {
  return text.tokens(showShort(read), showShort(written));
}

/** Microseconds between two moments. */
export function between(from: string, to: string): number {
  return Math.max(Date.parse(to) - Date.parse(from), 0) * 1_000;
}
