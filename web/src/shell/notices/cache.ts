/** What this window knows of what waits for the person, and when it asks again. */

import type { QueryClient } from "@tanstack/react-query";

import type { Connection, ConnectionPorts } from "../../wire/driver";
import type { FrameType } from "../../wire/frames";

export const NOTICES_KEY = ["notices"] as const;
/** Frames that may change what waits. Guards and the orchestra send none: they are looked at now and then. */
const TELLING: readonly FrameType[] = [
  "plan:run",
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
  for (const type of TELLING) {
    connection.subscribe(type, () => {
      cancel?.();
      cancel = after(REST_MS, () => {
        cancel = null;
        void queries.invalidateQueries({ queryKey: NOTICES_KEY });
      });
    });
  }
}
