/** The texts of the graph explorer: traces, and what stands around one. */

import { locale, words } from "../../../locale/words";
import type { GraphEdge, GraphNode, GraphTrace } from "../../../wire/generated";

const traces = (count: number): string => (count === 1 ? "1 trace" : `${count.toLocaleString(locale())} traces`);

export const graphStrings = words("guardGraph", {
  heading: "What was learned from",
  loading: "Reading the graph…",
  failed: "The graph could not be read",

  types: {
    violation: "Violation",
    correction: "Correction",
    decision: "Decision",
    approval: "Approval",
  } satisfies Record<GraphTrace["type"], string>,

  sources: {
    enforcement_hook: "a gate stopped it",
    user_correction: "a person said so",
    auto_detected: "Paige noticed it",
  } satisfies Record<NonNullable<GraphTrace["source"]>, string>,

  kinds: {
    decision: "Trace",
    agent: "Agent",
    feature: "Feature",
    file: "File",
    rule: "Rule",
    memory: "Memory",
    guard: "Guard",
    session: "Session",
  } satisfies Record<GraphNode["kind"], string>,

  relations: {
    made_by: "was made by",
    about: "is about",
    touched: "touched",
    by_rule: "was decided by",
    informed_by: "was informed by",
    led_to: "led to",
    corrected: "corrected",
    overrode: "overrode",
    made_guard: "made the guard",
    in_session: "happened in",
  } satisfies Record<GraphEdge["relation"], string>,

  list: {
    heading: "Traces",
    search: "Search traces",
    placeholder: "What happened, in your own words",
    clear: "Clear the search",
    type: "Type",
    all: "All",
    chip: (name: string, count: number) => `${name} ${count.toLocaleString(locale())}`,
    more: "More filters",
    filters: { agent: "Agent", feature: "Feature", rule: "Rule", file: "File" },
    any: { agent: "All agents", feature: "All features", rule: "All rules", file: "All files" },
    option: (name: string, count: number) => `${name} (${count.toLocaleString(locale())})`,
    count: (shown: number, total: number) => (shown === total ? traces(total) : `${shown} of ${traces(total)}`),
    byMeaning: "the closest in meaning first",
    newest: "the newest first",
    nothing: "Nothing matches.",
    nothingHint: "Try other words, or take a filter away.",
    takeAway: "Take the filters away",
    showMore: "Show more",
    loading: "Reading traces…",
    failed: "The traces could not be read",
    untold: "No words were kept",
  },

  one: {
    back: "All traces",
    loading: "Reading the trace…",
    failed: "The trace could not be read",
    happened: "What happened",
    correct: "What is right",
    why: "Why",
    facts: "Details",
    action: "Action",
    target: "On",
    rule: "Rule",
    agent: "Agent",
    feature: "Feature",
    task: "Task",
    session: "Session",
    source: "Known because",
    files: "Files",
    scope: "Holds for",
    scopes: { project: "this project", universal: "every project" },
    sure: (share: number) => `${Math.round(share * 100)}% sure`,
  },

  around: {
    heading: "What led to it, what came of it",
    name: "The neighbourhood of the trace",
    depth: "How far",
    steps: (count: number) => (count === 1 ? "1 step" : `${count} steps`),
    hint: "Arrow keys go from one to the next, Enter opens it, Home goes back to the trace.",
    before: "Led to it",
    here: "This trace",
    after: "Came of it",
    alone: "Nothing hangs on this trace yet.",
    alongside: (shown: number, more: number) =>
      more === 0 ? `${shown.toLocaleString(locale())} things` : `${shown.toLocaleString(locale())} things, ${more.toLocaleString(locale())} more were left out`,
    dots: (count: number) => `${count.toLocaleString(locale())} more`,
    node: (kind: string, label: string) => `${kind}: ${label}`,
    table: "Every line of the drawing",
    columns: ["From", "Relation", "To"],
    showMore: (count: number) => `Show ${count.toLocaleString(locale())} more`,
    legend: "Signs",
  },

  empty: {
    title: "Nothing has been learned from yet.",
    lead:
      "As soon as a guarded agent is stopped, asked or corrected, a trace is kept: what happened, what is right, and why. " +
      "Repeated ones become guards.",
    steps: [
      { title: "Guard an agent", command: "paige install claude-code", text: "every block is kept as a trace." },
      { title: "Or write one yourself", command: "paige guard traces add", text: "with what happened and what is right." },
      { title: "Find it again", command: "paige guard traces find", text: "followed by words; agents ask the same way." },
    ],
  },
});
