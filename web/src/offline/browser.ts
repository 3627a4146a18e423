/** The browser's side of noticing a new version. */

import type { TakeOver } from "./messages";
import type { VersionPorts } from "./version";

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
