/** The texts of the learned guards: stages, trials, patterns, and how well learning works. */

import { locale, words } from "../../../locale/words";
import type { LearnedGuard, LearnedSign } from "../../../wire/generated";

const plural = (count: number, one: string, many = `${one}s`): string => `${count.toLocaleString(locale())} ${count === 1 ? one : many}`;
const percent = (share: number): string => `${Math.round(share * 100)}%`;

export const guardsStrings = words("guardGuards", {
  tabs: { label: "Parts of learned guards", stages: "By stage", patterns: "Patterns", report: "How well it learns" },
  loading: "Reading the guards…",
  failed: "The guards could not be read",

  stages: {
    heading: "Guards by stage",
    columns: {
      proposed: { title: "Experiment", about: "tried on examples, harmless actions and the past" },
      shadow: { title: "Shadow", about: "notes what it would have stopped, decides nothing" },
      production: { title: "Production", about: "blocks, before every other gate" },
      rolled_back: { title: "Rolled back", about: "blocks no more" },
    },
    nobody: "None here.",
    problems: "Guard files that cannot be read",
    policy: {
      person: "Only a person puts a guard into production.",
      policy: "Guards that meet the policy of `learning.toml` go into production by themselves.",
    },
    folder: "Guards of this project lie in",
    retired: "Retired",
  },

  standings: {
    proposed: "Experiment",
    shadow: "Shadow",
    production: "Production",
    rolled_back: "Rolled back",
    retired: "Retired",
  } satisfies Record<LearnedGuard["standing"], string>,

  decisions: { deny: "Denies", ask: "Asks" },
  scopes: { project: "This project", universal: "Every project" },
  events: {
    pre_tool: "before a tool",
    permission_request: "when permission is asked",
    stop: "when an agent wants to stop",
    subagent_stop: "when a subagent wants to stop",
  } satisfies Record<LearnedGuard["event"], string>,

  card: {
    untried: "Not tried yet",
    sound: "Passed every trial",
    unsound: "A trial speaks against it",
    shadow: (hits: number, events: number) => `${plural(hits, "hit")} in ${plural(events, "action")}`,
    harmless: (count: number) => (count === 0 ? "no harmless one" : `${count.toLocaleString(locale())} harmless`),
    overridden: (count: number, hits: number) => `${count.toLocaleString(locale())} of ${plural(hits, "hit")} overridden`,
    evidence: (count: number) => `learned from ${plural(count, "trace")}`,
  },

  one: {
    back: "All guards",
    unknown: (id: string) => `There is no guard ${id}`,
    unknownHint: "It may have been removed. The list shows every guard there is.",
    since: "Since",
    version: "Version",
    decision: "Decision",
    event: "Judges",
    scope: "Holds for",
    pattern: "Pattern",
    evidence: "Learned from",
    traces: (count: number) => plural(count, "trace"),
    matcher: "What it is about",
    parts: {
      tools: "Tools",
      agents: "Agents",
      roles: "Roles",
      command: "Command",
      paths: "Files",
      fields: "Values",
      contains: "Contains",
      unless: "Unless",
    },
    must: "It has to stop",
    mustNot: "It has to let pass",
    noExamples: "No examples.",
    history: "What happened to it",
    forced: "forced",
    by: (who: string) => `by ${who}`,
    watched: "Seen at work",
    events: "Actions seen",
    hits: "Hits",
    harmless: "Harmless hits",
    overridden: "Let pass",
    decided: "Decided",
    decisions: "what it refused, and whom",
    holds: "Who",
    everybody: "every agent: those of coding CLIs, and Paige's own",
  },

  trial: {
    heading: "Trials",
    examples: "Examples",
    examplesGood: "Every example does what it should.",
    probe: "Harmless actions",
    probed: (hit: number, count: number) =>
      count === 0 ? "Not probed yet." : hit === 0 ? `None of ${count.toLocaleString(locale())} harmless actions is stopped.` : `It would stop ${hit.toLocaleString(locale())} of ${count.toLocaleString(locale())} harmless actions.`,
    replay: "The past",
    replayed: (hits: number, actions: number) =>
      actions === 0 ? "There is no past to replay yet." : `It would have stopped ${hits.toLocaleString(locale())} of ${plural(actions, "action")} of the past.`,
    plot: "What the guard would have stopped in the past",
    bars: {
      already: "Stopped then too",
      corrected: "Corrected by a person",
      harmless: "Was fine",
      unclear: "Cannot be said",
    },
    point: (name: string, count: number) => `${name}: ${plural(count, "action")}`,
    columns: ["What became of it", "Actions"],
    against: "Any action that was fine speaks against the guard.",
    hits: "Actions it would have stopped",
    untried: "It was not tried yet.",
    criterion: "Keep things as they are, or change them?",
    criterionColumns: ["Question", "Answer", "Because"],
    sides: { keep: "Yes speaks for keeping", update: "Yes speaks for changing" },
    yes: "Yes",
    no: "No",
  },

  acts: {
    try: "Try it out now",
    trying: "Trying…",
    tried: (id: string) => `${id} was tried out`,
    shadow: {
      button: "To shadow…",
      title: (id: string) => `Put ${id} into shadow?`,
      description: "It will note what it would have stopped and decide nothing.",
      confirm: "To shadow",
      done: (id: string) => `${id} is in shadow`,
    },
    promote: {
      button: "Promote…",
      title: (id: string) => `Put ${id} into production?`,
      description: "From now on it blocks, and agents read its message.",
      confirm: "Promote",
      done: (id: string) => `${id} is in production`,
    },
    rollback: {
      button: "Roll back…",
      title: (id: string) => `Roll ${id} back?`,
      description: "It blocks no more. Its file keeps everything that happened.",
      confirm: "Roll back",
      done: (id: string) => `${id} is rolled back`,
    },
    why: "Why",
    whyHint: "It is kept with your step, for whoever asks later.",
    force: "Even though a criterion is not met",
    forceHint: "That is kept too. A guard that stops a harmless action is refused all the same.",
    cancel: "Leave it",
    working: "Working…",
  },

  lessons: {
    loading: "Looking for patterns…",
    failed: "The patterns could not be read",
    heading: "Patterns",
    lead: "What an agent did again and again. Old ones count less.",
    none: "No pattern yet.",
    noneHint: "Something becomes a pattern when it happened often enough, in more than one session.",
    count: (count: number, sessions: number) => `${plural(count, "time")} in ${plural(sessions, "session")}`,
    weight: "Weight",
    overridden: (count: number) => `${plural(count, "time")} let pass by a person`,
    columns: ["Pattern", "Weight"],
    traces: "Traces of it",
    proposals: "Proposed guards",
    proposalsLead: "Made of these patterns. A person introduces them with:",
    command: "paige guard learn --apply",
    noProposals: "No proposal now.",
    prompts: "Proposed changes of agents' files",
    tokens: (count: number) => (count >= 0 ? `${plural(count, "token")} longer` : `${plural(-count, "token")} shorter`),
  },

  report: {
    heading: "Signs of learning that does not work",
    lead: "Five known ways for learning to go wrong, each with its number.",
    verdicts: { warning: "Found", ok: "Fine", unknown: "Too little to say" } satisfies Record<LearnedSign["verdict"], string>,
    threshold: (limit: string) => `limit ${limit}`,
    cases: (count: number) => `over ${plural(count, "case")}`,
    number: (value: number | null) => (value === null ? "–" : value.toLocaleString(locale(), { maximumFractionDigits: 2 })),
  },

  empty: {
    title: "No guard has been learned yet.",
    lead: "When agents repeat a mistake, Paige proposes a guard against it. It has to prove itself before it may block anything.",
    steps: [
      { title: "Look for patterns", command: "paige guard learn", text: "shows what repeats, and at most three proposals." },
      { title: "Introduce them", command: "paige guard learn --apply", text: "each begins as an experiment." },
      { title: "Watch and promote", command: "paige guard guards", text: "or do it here, with a reason that is kept." },
    ],
  },
  percent,
});
