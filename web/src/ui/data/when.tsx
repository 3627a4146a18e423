/** Moments, as people of this place write them: the day, the day and the time, or the time if it was today. */

import type { ReactNode } from "react";

import { locale } from "../../locale/words";

const DAY = new Intl.DateTimeFormat(locale(), { dateStyle: "medium" });
const MOMENT = new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" });
const TIME = new Intl.DateTimeFormat(locale(), { timeStyle: "medium" });
const FULL = new Intl.DateTimeFormat(locale(), { dateStyle: "full", timeStyle: "long" });

export function formatDay(at: string): string {
  return DAY.format(new Date(at));
}

export function formatMoment(at: string): string {
  return MOMENT.format(new Date(at));
}

/** The time for today, the day and the time for everything before. */
export function formatRecent(at: string, now: Date): string {
  const moment = new Date(at);
  return moment.toDateString() === now.toDateString() ? TIME.format(moment) : MOMENT.format(moment);
}

const SHOWN = {
  day: formatDay,
  moment: formatMoment,
  recent: (at: string) => formatRecent(at, new Date()),
};

/** What is left out stands in the tooltip. */
export function When({ at, as = "day" }: { at: string; as?: keyof typeof SHOWN }): ReactNode {
  return (
    <time dateTime={at} title={FULL.format(new Date(at))} className="whitespace-nowrap tabular-nums">
      {SHOWN[as](at)}
    </time>
  );
}
