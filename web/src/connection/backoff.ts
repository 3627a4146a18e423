/** How long to wait before the next try to connect. */

const FIRST_MS = 500;
const LONGEST_MS = 15_000;

/**
 * Doubles with every failed attempt (0, 1, 2, …). `random` in [0, 1) spreads browsers out, so that a
 * restarted server does not meet all of them in the same instant.
 */
export function retryDelay(attempt: number, random: number): number {
  const ceiling = Math.min(LONGEST_MS, FIRST_MS * 2 ** attempt);
  return Math.round(Math.max(FIRST_MS, ceiling * (0.5 + random / 2)));
}
