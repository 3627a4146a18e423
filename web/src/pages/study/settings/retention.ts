/** What a share to remember costs. Pure. */

/** How quickly memories fade, as the scheduler takes it unless it was fitted to somebody. */
const DECAY = -0.1542;
const USUAL = 0.9;
export const LOWEST = 0.7;
export const HIGHEST = 0.99;

/** How long something waits until it is remembered with this likelihood; 1 is the time at 90%. */
export function waitAt(share: number): number {
  return (share ** (1 / DECAY) - 1) / (USUAL ** (1 / DECAY) - 1);
}

/** How often reviews come, compared with 90%. */
export function timesAt(share: number): number {
  return 1 / waitAt(share);
}
