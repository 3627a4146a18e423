/** A moment, as people of this place write it. */

import type { ReactNode } from "react";

const SHORT = new Intl.DateTimeFormat(undefined, { dateStyle: "medium" });
const LONG = new Intl.DateTimeFormat(undefined, { dateStyle: "medium", timeStyle: "short" });

export function formatDay(at: string): string {
  return SHORT.format(new Date(at));
}

export function formatMoment(at: string): string {
  return LONG.format(new Date(at));
}

export function When({ at }: { at: string }): ReactNode {
  return (
    <time dateTime={at} title={formatMoment(at)}>
      {formatDay(at)}
    </time>
  );
}
