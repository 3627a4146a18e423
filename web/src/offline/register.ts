/** Puts the service worker to work, once the page has what it needs. */

const WORKER = "/sw.js";
/** The page comes first: the frame is fetched for later when nobody waits for anything. */
export const AFTER_MS = 5_000;

/** Where there are no workers (an address without https that is not this machine) the app works without one. */
export function registerLater(browser: Window): void {
  if (!("serviceWorker" in browser.navigator)) return;
  const { serviceWorker } = browser.navigator;
  const register = (): void => {
    // A worker that cannot be put to work takes nothing from the page: there is nothing to say about it.
    serviceWorker.register(WORKER, { updateViaCache: "none" }).catch(() => undefined);
  };
  const later = (): void => {
    browser.setTimeout(register, AFTER_MS);
  };
  if (browser.document.readyState === "complete") later();
  else browser.addEventListener("load", later, { once: true });
}
