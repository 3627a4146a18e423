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

import { Mark, type Tone } from "../../ui/data/badge";
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
