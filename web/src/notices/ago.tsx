/** How long ago something was, in words; the moment itself is in the tooltip. */

import type { ReactNode } from "react";

import { locale } from "../locale/words";
import { formatMoment } from "../ui/when";

const STEPS = [
  { unit: "month", ms: 30.44 * 86_400_000 },
  { unit: "day", ms: 86_400_000 },
  { unit: "hour", ms: 3_600_000 },
  { unit: "minute", ms: 60_000 },
] as const;

export function formatAgo(at: string, now: number): string {
  const format = new Intl.RelativeTimeFormat(locale(), { numeric: "auto" });
  const passed = now - new Date(at).getTime();
  const step = STEPS.find(({ ms }) => Math.abs(passed) >= ms);
  return step === undefined ? format.format(0, "second") : format.format(-Math.round(passed / step.ms), step.unit);
}

export function Ago({ at, now }: { at: string; now: number }): ReactNode {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatAgo(at, now)}
    </time>
  );
}
