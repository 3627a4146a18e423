/** The texts of the pages that show runs: the list, one run, and its timeline. */

import { locale, words } from "../../locale/words";
import type { TraceRun } from "../../wire/generated";

const number = (value: number): string => value.toLocaleString(locale());

export const traceStrings = words("traces", {
  doors: { plan: "Plan", study: "Study", coach: "Coach", guard: "Guard", orchestra: "Orchestra", memory: "Memory", other: "Other" },

  states: {
    running: "Running",
    waiting: "Waits for an answer",
    ended: "Done",
    interrupted: "Interrupted",
  } satisfies Record<TraceRun["state"], string>,
  failed: "Failed",
  statuses: {
    success: "Done",
    error_max_turns: "Too many turns",
    error_max_budget: "Budget used up",
    error_no_progress: "No progress",
    error_hook_abort: "Ended by a hook",
  },

  units: {
    tokens: (read: string, written: string) => `${read} in, ${written} out`,
    costUnknown: "price unknown",
    partly: (money: string) => `over ${money}`,
    free: "nothing",
    /** In narrow columns; said in full where there is room. */
    short: { unknown: "?", partly: (money: string) => `> ${money}`, tokens: (read: string, written: string) => `${read} → ${written}` },
    micro: (value: string) => `${value} µs`,
    milli: (value: string) => `${value} ms`,
    seconds: (value: string) => `${value} s`,
    minutes: (minutes: string, seconds: string) => `${minutes} min ${seconds} s`,
    hours: (hours: string, minutes: string) => `${hours} h ${minutes} min`,
    days: (days: string, hours: string) => `${days} d ${hours} h`,
  },

  list: {
    heading: "Runs",
    search: "Search runs",
    placeholder: "Words of the request or the answer",
    clear: "Clear the search",
    status: "State",
    all: "All",
    filters: { running: "Running", waiting: "Waiting", success: "Done", failed: "Failed" },
    door: "Door",
    anyDoor: "All doors",
    shown: (count: number, isAll: boolean) =>
      isAll ? (count === 1 ? "1 run" : `${number(count)} runs`) : `The newest ${number(count)} runs`,
    turns: (count: number) => (count === 1 ? "1 turn" : `${number(count)} turns`),
    untitled: "Without words",
    showMore: "Show older runs",
    loading: "Reading runs…",
    failed: "The runs could not be read",
    nothing: "No run fits.",
    nothingHint: "Try other words, or take a filter away.",
    takeAway: "Take the filters away",
  },

  empty: {
    title: "Nothing has run yet.",
    lead: "Whenever an agent works for you, Paige writes down every step: what the model read and said, each tool, each question, time and cost.",
    steps: [
      { title: "Plan a lesson", command: "paige plan list", text: "names what can be asked; every request is a run, also from the Plan page." },
      { title: "Look at it here", command: "paige up", text: "the tree, the journal, and the run step by step." },
      { title: "Or in a terminal", command: "paige trace list", text: "then `paige trace show` with its id." },
    ],
  },

  one: {
    back: "All runs",
    loading: "Reading the run…",
    failed: "The run could not be read",
    session: "Open the session",
    asked: "What was asked",
    answered: "What came of it",
    whole: "Show all of it",
    figures: "The run in numbers",
    took: "Took",
    since: "since",
    turns: "Turns",
    spans: (count: number) => (count === 1 ? "1 step" : `${number(count)} steps`),
    tokens: "Tokens",
    cost: "Cost",
    by: (agent: string, source: string) => (source === "local" ? `${agent}, by local rules` : `${agent}, by ${source}`),
    tabs: "Ways to look at the run",
    timeline: "Timeline",
    steps: "Step by step",
    journal: "Journal",
    live: "This run goes on; the page follows it.",
  },

  tree: {
    name: "Steps of the run",
    hint: "Arrow keys move, open and close; Home and End go to the ends; letters jump to a name; * opens all beside it; Z looks closer.",
    columns: { name: "Step", when: "When", took: "Took", tokens: "Tokens", cost: "Cost" },
    kinds: {
      run: "Run",
      turn: "Turn",
      model: "Model",
      tool: "Tool",
      hook: "Hook",
      subagent: "Subagent",
      handoff: "Handoff",
      gate: "Question",
    },
    turn: (turn: string) => `Turn ${turn}`,
    lastTurn: "Last answer",
    question: (title: string) => title,
    item: (kind: string, name: string, took: string) => `${kind} ${name}, ${took}`,
    failed: "failed",
    openAll: "Open all",
    closeAll: "Close all",
    nextFailed: (count: number) => `Next failure (${number(count)})`,
    packed: "Leave waiting out",
    zoom: "Look closer",
    unzoom: "See all of it",
    zoomed: (name: string) => `Only ${name}`,
    gap: (took: string) => `${took} in which nothing ran`,
    legend: "Colours",
  },
});
