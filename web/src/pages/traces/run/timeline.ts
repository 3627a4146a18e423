/** Where moments lie on the waterfall, with or without the time in which nothing ran. Pure. */

import type { TreeNode } from "./tree";

export interface Gap {
  /** Where it lies, from 0 to 1 of the whole width, and how wide it is drawn. */
  at: number;
  width: number;
  /** How long it was. */
  length: number;
}

export interface Timeline {
  /** The place of a moment, from 0 to 1. */
  at: (us: number) => number;
  gaps: readonly Gap[];
  /** How much time the whole width stands for, gaps left out. */
  length: number;
}

interface Interval {
  start: number;
  end: number;
}

const WORK = new Set(["model", "tool", "hook"]);
const LEAST_GAP = 1_000_000;
/** A gap counts from this share of the time in which something ran; that is also how wide it is drawn. */
const SHARE = 0.04;
const MOST_GAPS = 12;

/** The longest times in which nothing ran, in their order. */
export function idleTimes(nodes: readonly TreeNode[]): Interval[] {
  const busy = busyTimes(nodes);
  const worked = busy.reduce((sum, { start, end }) => sum + end - start, 0);
  const least = Math.max(LEAST_GAP, worked * SHARE);
  const bounds = [...busy.map(({ start, end }) => ({ start, end })), { start: lastEnd(nodes), end: 0 }];
  let before = 0;
  const idle: Interval[] = [];
  for (const { start, end } of bounds) {
    if (start - before >= least) idle.push({ start: before, end: start });
    before = Math.max(before, end);
  }
  const longest = [...idle].sort((a, b) => b.end - b.start - (a.end - a.start)).slice(0, MOST_GAPS);
  return idle.filter((each) => longest.includes(each));
}

export function makeTimeline(nodes: readonly TreeNode[], isPacked: boolean): Timeline {
  const total = Math.max(lastEnd(nodes), 1);
  const idle = isPacked ? idleTimes(nodes) : [];
  const left = idle.reduce((sum, { start, end }) => sum + end - start, 0);
  const gap = (total - left) * SHARE || 1;
  const width = total - left + gap * idle.length;
  const packed = (us: number): number => {
    let shift = 0;
    for (const { start, end } of idle) {
      if (us <= start) break;
      shift += us >= end ? end - start - gap : (us - start) * (1 - gap / (end - start));
    }
    return Math.min(Math.max((us - shift) / width, 0), 1);
  };
  return {
    at: packed,
    gaps: idle.map(({ start, end }) => ({ at: packed(start), width: gap / width, length: end - start })),
    length: total - left,
  };
}

/** Only a part of it, as wide as all of it. */
export function closer(whole: Timeline, { start, length }: { start: number; length: number }): Timeline {
  const [from, to] = [whole.at(start), whole.at(start + length)];
  const share = Math.max(to - from, 1e-9);
  const into = (place: number): number => Math.min(Math.max((place - from) / share, 0), 1);
  return {
    at: (us) => into(whole.at(us)),
    gaps: whole.gaps
      .filter(({ at, width }) => at + width > from && at < to)
      .map((gap) => ({ at: into(gap.at), width: into(gap.at + gap.width) - into(gap.at), length: gap.length })),
    length,
  };
}

function busyTimes(nodes: readonly TreeNode[]): Interval[] {
  const times = nodes
    .filter(({ kind }) => WORK.has(kind))
    .map(({ start, length }) => ({ start, end: start + length }))
    .sort((a, b) => a.start - b.start);
  const merged: Interval[] = [];
  for (const each of times) {
    const last = merged.at(-1);
    if (last !== undefined && each.start <= last.end) last.end = Math.max(last.end, each.end);
    else merged.push({ ...each });
  }
  return merged;
}

function lastEnd(nodes: readonly TreeNode[]): number {
  return nodes.reduce((last, { start, length }) => Math.max(last, start + length), 0);
}
