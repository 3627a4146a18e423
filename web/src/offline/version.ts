/** Notices that the server has another version of the app than the one that runs here. */

import type { StoreApi } from "zustand";

import type { ConnectionState } from "../connection/machine";

export interface VersionPorts {
  /** The version that runs here; null while developing. */
  own: string | null;
  /** The version the server would send now; null when it does not say. */
  ask: () => Promise<string | null>;
  /** Whether the page may have come from the service worker's store instead of the server. */
  mayBeKept: () => boolean;
  /** Loads the page again, for a version that was not loaded for before; false when it was. */
  reloadFor: (version: string) => boolean;
  /** Tells the person that there is something new. */
  tell: () => void;
}

/**
 * Asks whenever the server is there again: it may have been another one that started.
 *
 * A page that was opened without a server has nothing to lose yet, and is loaded again by itself.
 * On every other page the person decides when.
 */
export function watchVersion(connection: StoreApi<ConnectionState>, ports: VersionPorts): () => void {
  let timesOpened = 0;
  let toldOf: string | null = null;
  const look = async (isFirst: boolean): Promise<void> => {
    const theirs = await ports.ask();
    if (theirs === null || theirs === ports.own || theirs === toldOf) return;
    if (isFirst && ports.reloadFor(theirs)) return;
    toldOf = theirs;
    ports.tell();
  };
  return connection.subscribe((state, before) => {
    if (ports.own === null || state.name !== "open" || before.name === "open") return;
    timesOpened += 1;
    const isFirst = timesOpened === 1;
    if (!isFirst || ports.mayBeKept()) void look(isFirst);
  });
}
