/** What this window knows of what waits for the person, and when it asks again. */

import type { QueryClient } from "@tanstack/react-query";

import type { Connection, ConnectionPorts, FrameType } from "../../wire/driver";
import type { Notices } from "../../wire/generated";

export const NOTICES_KEY = ["notices"] as const;
/** Frames that may change what waits. Guards and the orchestra send none: they are looked at now and then. */
const TELLING: readonly FrameType[] = [
  "study:changed",
  "session:started",
  "session:resumed",
  "session:ended",
  "session:completed",
];
/** Several frames of one moment are one reason to ask. */
const REST_MS = 300;

/** Asks again, soon, whenever something happened that may wait for the person. */
export function followNotices(connection: Connection, queries: QueryClient, after: ConnectionPorts["after"]): void {
  let cancel: (() => void) | null = null;
  const askSoon = (): void => {
    cancel?.();
    cancel = after(REST_MS, () => {
      cancel = null;
      void queries.invalidateQueries({ queryKey: NOTICES_KEY });
    });
  };
  for (const type of TELLING) connection.subscribe(type, askSoon);
  connection.subscribe("plan:run", ({ payload: { run, state } }) => {
    // Nobody need be asked: what goes on again was answered.
    if (state === "running") takeOutQuestions(queries, run);
    else askSoon();
  });
}

function takeOutQuestions(queries: QueryClient, run: string): void {
  queries.setQueryData<Notices>(NOTICES_KEY, (known) =>
    known === undefined
      ? undefined
      : { ...known, notices: known.notices.filter(({ id }) => !id.startsWith(`question:${run}:`)) },
  );
}
