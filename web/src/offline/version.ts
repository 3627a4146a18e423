/** Notices that the server has another version of the app than the one that runs here. */

import type { StoreApi } from "zustand";

import type { ConnectionState } from "../wire/machine";
import type { TakeOver } from "./messages";

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

// The browser's side of noticing a new version.

const VERSION = "/version.json";
const TAKE_OVER: TakeOver = "take-over";
const RELOADED_FOR = "paige-reloaded-for";

/** `tell` is called with what loads the new version. */
export function versionPorts(browser: Window, tell: (reload: () => void) => void): VersionPorts {
  return {
    own: browser.document.querySelector<HTMLMetaElement>('meta[name="paige-build"]')?.content ?? null,
    ask: () => askVersion(browser),
    mayBeKept: () => "serviceWorker" in browser.navigator && browser.navigator.serviceWorker.controller !== null,
    reloadFor: (version) => {
      if (browser.sessionStorage.getItem(RELOADED_FOR) === version) return false;
      browser.sessionStorage.setItem(RELOADED_FOR, version);
      void takeOver(browser);
      return true;
    },
    tell: () => {
      tell(() => void takeOver(browser));
    },
  };
}

async function askVersion(browser: Window): Promise<string | null> {
  try {
    const answer = await browser.fetch(VERSION, { cache: "no-store" });
    const said: unknown = answer.ok ? await answer.json() : null;
    const build: unknown = typeof said === "object" && said !== null ? Reflect.get(said, "build") : null;
    return typeof build === "string" ? build : null;
  } catch {
    return null; // gone again: it is asked when it is back
  }
}

/** Lets a worker that waits take over, so that nothing of the old version is kept, and loads the page. */
async function takeOver(browser: Window): Promise<void> {
  if ("serviceWorker" in browser.navigator) {
    const registration = await browser.navigator.serviceWorker.getRegistration().catch(() => undefined);
    registration?.waiting?.postMessage(TAKE_OVER);
  }
  browser.location.reload();
}
