/** Waiting for the browser to draw what is there, before something that takes its time. */

/** Nothing is drawn in a tab that nobody looks at: there the wait ends by itself. */
const LONGEST_MS = 100;

/** Resolves after the next frame was drawn. */
export function drawn(): Promise<void> {
  return new Promise((resolve) => {
    const go = (): void => {
      resolve();
    };
    setTimeout(go, LONGEST_MS);
    requestAnimationFrame(() => setTimeout(go));
  });
}
