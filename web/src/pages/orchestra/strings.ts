/** The texts of the orchestra board: features, runs, handoffs, and whether work goes better. */

import { locale, words } from "../../locale/words";
import type { OrchestraFeature, OrchestraHandoff } from "../../wire/generated";

const plural = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString(locale())} ${count === 1 ? one : many}`;

export const orchestraStrings = words("guardOrchestra", {
  loading: "Reading the board…",
  failed: "The board could not be read",
  heading: "Orchestra",
  noGoal: "No goal was written down.",
  running: "At work",
  resting: "Nobody is at work",
  next: "Next",
  done: (closed: number, all: number) => `${closed} of ${plural(all, "feature")} closed`,

  states: {
    pending: "Pending",
    coding: "Coding",
    testing: "Testing",
    closed: "Closed",
    blocked: "Blocked",
  } satisfies Record<OrchestraFeature["state"], string>,
  about: {
    pending: "waits for its turn",
    coding: "an agent writes it",
    testing: "another agent tests it",
    closed: "tested and merged",
    blocked: "needs a person",
  } satisfies Record<OrchestraFeature["state"], string>,
  nobody: "None.",
  attempt: (count: number) => `attempt ${count}`,
  since: "since",

  figures: {
    label: "The orchestra in numbers",
    closed: "Closed",
    closedOf: (all: number) => `of ${plural(all, "feature")}`,
    runs: "Runs of agents",
    runsNote: "kept with what they returned",
    judged: "Changes judged",
    judgedNote: "by a second reader, over change and task",
    vetoed: "Vetoed",
    veto: (share: number | null) => (share === null ? "nothing was judged yet" : `${Math.round(share * 100)}% of what was judged`),
    blocked: "Blocked",
    blockedNote: "after two retries",
  },

  runs: {
    heading: "Runs",
    none: "No agent has run yet.",
    outcome: "Outcome",
    vetoed: "vetoed",
    attempt: (count: number) => `attempt ${count}`,
    took: (seconds: number) => (seconds < 60 ? `${Math.round(seconds)} s` : `${Math.round(seconds / 60)} min`),
    still: "at work",
    returned: "What it returned",
    showMore: "Show more",
  },

  handoffs: {
    heading: "Handoffs",
    lead: "Every order from one agent to the next, as it was checked on both ends.",
    none: "Nothing was handed over yet.",
    loading: "Reading handoffs…",
    failed: "The handoffs could not be read",
    events: {
      sent: "Sent",
      received: "Accepted",
      refused: "Refused",
      returned: "Returned",
      failed: "Failed",
    } satisfies Record<OrchestraHandoff["event"], string>,
    feature: "Feature",
    everyFeature: "Every feature",
    count: (shown: number, total: number) => (shown === total ? plural(total, "line") : `The newest ${shown} of ${plural(total, "line")}`),
    showMore: "Show more",
    key: "Key",
    before: "Before it",
    after: "After it",
    rollback: "If it fails",
    files: "Files",
    artifacts: "Passed along",
    timeout: "Time",
    seconds: (count: number) => `${count.toLocaleString(locale())} s`,
    next: "Then",
    previous: "Came from",
    criteria: "Counts as done",
  },

  metrics: {
    heading: "Does work go better?",
    lead: "The same numbers before and after guards were learned.",
    since: "Compared at the first guard that blocked,",
    loading: "Reading the metrics…",
    failed: "The metrics could not be read",
    none: "There is not enough to compare yet.",
    noneHint: "Numbers appear once agents have worked before and after the first guard was promoted. `paige guard report` shows the same.",
    sessions: (before: number, after: number) => `${plural(before, "session")} before, ${after.toLocaleString(locale())} after.`,
    before: "Before",
    after: "After",
    target: "Aim",
    columns: ["When", "Value"],
    value: (value: number | null, unit: string) =>
      value === null ? "not measured" : unit === "share" ? `${Math.round(value * 100)}%` : value.toLocaleString(locale(), { maximumFractionDigits: 2 }) + (unit === "" ? "" : ` ${unit}`),
    point: (name: string, value: string) => `${name}: ${value}`,
    verdicts: { better: "better", worse: "worse", same: "no change", unknown: "too little to say" },
    met: "aim reached",
  },

  empty: {
    title: "No orchestra has played here yet.",
    lead: "Give Paige a goal: features are broken down, coded, tested and closed by agents, each in a worktree of its own.",
    steps: [
      { title: "Say what you want", command: 'paige orchestra init "a shop for books"', text: "makes the list of features." },
      { title: "Let it play", command: "paige orchestra run", text: "until every feature is closed or blocked." },
      { title: "Watch", command: "paige orchestra status --watch", text: "in the terminal, or stay on this page." },
    ],
  },
});
