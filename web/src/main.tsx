/** The first thing the browser runs: the language comes before everything that is written in it. */

import "./styles/app.css";

import { openLanguage } from "./locale/open";
import { registerLater } from "./offline/register";

/** Nothing is drawn in a tab that nobody looks at: there the wait ends by itself. */
const LONGEST_MS = 100;

/** Resolves after the next frame was drawn: what takes its time waits until then. */
function drawn(): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      resolve();
    };
    setTimeout(go, LONGEST_MS);
    requestAnimationFrame(() => setTimeout(go));
  });
}

async function open(root: HTMLElement): Promise<void> {
  // The frame in index.html is seen before the app, which takes longer to start than to arrive.
  await Promise.all([openLanguage(document.documentElement), drawn()]);
  try {
    const { start } = await import("./start");
    start(root);
  } catch {
    // Neither words nor a design are there: say it as plainly as the page can.
    root.textContent = "Paige could not be loaded. Look whether it runs, then reload this page.";
  }
}

const root = document.getElementById("root");
if (root === null) throw new Error("index.html has no #root");

void open(root);
// While developing, pages change faster than a worker should remember them.
if (import.meta.env.PROD) registerLater(window);
