/** A moment: the time for today, the day and the time for everything before. */

import type { ReactNode } from "react";

const TIME = new Intl.DateTimeFormat(undefined, { timeStyle: "medium" });
const DAY = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });
const LONG = new Intl.DateTimeFormat(undefined, { dateStyle: "full", timeStyle: "long" });

export function formatWhen(at: string, now: Date): string {
  const moment = new Date(at);
  return moment.toDateString() === now.toDateString() ? TIME.format(moment) : DAY.format(moment);
}

export function When({ at }: { at: string }): ReactNode {
  return (
    <time dateTime={at} title={LONG.format(new Date(at))} className="whitespace-nowrap tabular-nums">
      {formatWhen(at, new Date())}
    </time>
  );
}
