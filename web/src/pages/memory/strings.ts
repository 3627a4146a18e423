/** Every text of the Memory page that does not come from the server. */

import { byName, locale, words } from "../../locale/words";
import type { MemoryItem, MemoryOutcomes, MemoryPhase } from "../../wire/generated";

const places = (count: number): string => (count === 1 ? "one place" : `${count} places`);
const lines = (count: number): string => (count === 1 ? "1 line" : `${count} lines`);

/** The texts of the documents and the policies on the Memory page. */
export const memoryKeeping = words("memoryKeeping", {
  documents: {
    loading: "Reading the documents…",
    failed: "The documents could not be read",
    failedOne: "The document could not be read",
    list: "Memory documents",
    teacher: "Yours",
    classOf: (name: string) => `Class ${name}`,
    lines,
    changed: "Not saved",
    empty: "There are no memory documents yet.",
    emptyHint:
      "Documents are what you want every plan to know: `MEMORY.md` is yours, `classes/3B/MEMORY.md` is about a class. " +
      "Make one here, or write it in the folder `memory` of your workspace.",
    back: "All documents",
    choose: "Choose a document to read and change it.",
    new: "New document",
    newPath: "Path of the new document",
    newHint: "`MEMORY.md`, `topic.md` or `classes/3B/MEMORY.md`",
    create: "Create",
    text: (path: string) => `Text of ${path}`,
    long: (most: number) => `Prompts show the first ${most} lines only. Move what is below to a topic file.`,
    topic: "A topic file: prompts name it, and agents read it when they need it.",
    written: (by: string, when: string) => `Written by ${by}, ${when}`,
    save: "Save",
    saving: "Saving…",
    undo: "Discard changes",
    delete: "Delete",
    saved: "Saved",
    unchanged: "Nothing changed",
    merged: "Saved, together with what was changed elsewhere meanwhile",
    mergedHint: "The text below holds both changes.",
    conflict: (count: number) => `Saved, but both sides changed ${places(count)}`,
    conflictHint:
      "Nothing is lost: both texts stand below, between `[Both texts are kept.` and `[End of both texts]`. Choose one " +
      "and save again.",
    stale: "Somebody else changed this document meanwhile. Saving brings both together.",
    deleted: (path: string) => `${path} is deleted`,
  },

  policies: {
    loading: "Reading the policies…",
    failed: "The policies could not be read",
    lead: "How memories are chosen for a prompt. It changes in small steps, and only stays when tasks end better.",
    now: "What holds now",
    anyRole: "Any role",
    role: (role: string) => `Role ${role}`,
    anyScope: "any scope",
    scope: (scope: string) => `scope ${scope}`,
    version: (version: number, stage: string) => `Version ${version}, ${stage.replaceAll("_", " ")}`,
    weights: { relevance: "Relevance", importance: "Importance", recency: "Recency", access: "Use" },
    weight: "Weight",
    signal: "Signal",
    minScore: (score: number) => `A memory needs a score of at least ${score}.`,
    history: "What was tried",
    noHistory: "Nothing was tried yet: the policy is the one that came with Paige.",
    numbers: "Numbers it was decided by",
    outcomes: "Does memory help?",
    noOutcomes: "No task has ended yet. Paige compares tasks with memories in the prompt to tasks without.",
    verdict: {
      better: "Tasks end better with memories.",
      worse: "Tasks end worse with memories.",
      unclear: "It is not clear yet.",
    } satisfies Record<MemoryOutcomes["verdict"], string>,
    with: "With memories",
    without: "Without",
    metric: "Measure",
    metrics: {
      successRate: "Ended well",
      retries: "Retries a task",
      corrections: "Corrections a task",
      toolCalls: "Tool calls a task",
      tasks: "Tasks",
    },
  },
});

const memories = (count: number): string => (count === 1 ? "1 memory" : `${count.toLocaleString(locale())} memories`);

export const memoryStrings = words("memory", {
  title: "Memory",
  lead:
    "What was said, learned and decided, kept in a log on this machine. Look things up, see where they come from, " +
    "say them better or have them forgotten.",
  tabs: { label: "Parts of the memory", memories: "Memories", documents: "Documents", policies: "Policies" },
  memories,

  scopes: {
    global: "Global",
    project: "Project",
    session: "Session",
    agent: "Agent",
    teacher: "Teacher",
    class: "Class",
    learner: "Learner",
  } satisfies Record<MemoryItem["scope"], string>,

  cycle: {
    heading: "How the memory works",
    phases: {
      record: "Recorded",
      organise: "Organised",
      recall: "Recalled",
      improve: "Improved",
    } satisfies Record<MemoryPhase["phase"], string>,
    last: (when: string) => `last ${when}`,
    never: "not yet",
    held: "Remembered",
    heldDetail: (replaced: number) => (replaced === 0 ? "nothing replaced" : `${replaced.toLocaleString(locale())} replaced since`),
    log: "Log",
    behind: (count: number) => `${count.toLocaleString(locale())} not yet searchable`,
    whole: "all searchable",
    loading: "Reading the memory…",
    failed: "The memory could not be read",
  },

  search: {
    label: "Search the memory",
    placeholder: "What do you want to know?",
    shortcut: "Press / anywhere to get here",
    clear: "Clear the search",
    history: "Also what was replaced",
    scope: "Scope",
    everyScope: "All",
    chip: (name: string, count: number) => `${name} ${count.toLocaleString(locale())}`,
    project: "Project",
    everyProject: "All projects",
    loading: "Searching…",
    failed: "The search did not work",
    found: (count: number, tookMs: number, leftOut: number) => {
      const took = tookMs < 1 ? "under 1 ms" : `${Math.round(tookMs)} ms`;
      const rest = leftOut === 0 ? "" : `, ${leftOut.toLocaleString(locale())} more left out`;
      return `${memories(count)} in ${took}${rest}`;
    },
    wordsOnly: "Only words were compared, not meaning.",
    newest: (shown: number, total: number) =>
      shown === total ? `${memories(total)}, the newest first` : `The newest ${shown} of ${memories(total)}`,
    more: "Show more",
    score: (score: number) => `Score ${score.toFixed(2)}`,
    replaced: "Replaced",
    nothing: "Nothing matches.",
    nothingHint: "Try other words, or take a filter away.",
    takeAway: "Take the filters away",
    empty: "Nothing is remembered yet.",
    emptyHint:
      "Write `paige memory add \"The release is on Friday\"` in a terminal, let an agent call `memory_add`, or bring " +
      "notes along with `paige memory import`. What is added shows up here at once.",
    results: "Memories",
  },

  detail: {
    heading: "One memory",
    description: "What it says, where it comes from and where it was used.",
    loading: "Reading the memory…",
    failed: "The memory could not be read",
    forgotten: "It was forgotten.",
    notMine: (owner: string) => `It belongs to ${owner}, who alone may change it or have it forgotten.`,
    replacedBy: "It was replaced since.",
    toNewest: "Go to the newest version",
    edit: "Edit",
    forget: "Forget…",
    copyId: "Copy id",
    copied: "The id is in the clipboard",
    copyFailed: "The id could not be copied",
    copyFailedHint: "The browser allows it only on https or localhost, and only if you agree.",
    why: "Why it was found",
    whyTable: { part: "Part", value: "Adds" },
    asTable: "As a table",
    parts: byName({
      lexical: "Words",
      neighbour: "Words nearby",
      vector: "Meaning",
      speaker: "Speaker",
      date: "Date",
      telling: "Says something",
      session: "Rest of the session",
      importance: "Importance",
      recency: "Recency",
      access: "Use",
    }),
    origin: "Where it comes from",
    facts: {
      type: "Type",
      scope: "Scope",
      owner: "Owner",
      project: "Project",
      session: "Session",
      speaker: "Said by",
      at: "When",
      importance: "Importance",
      key: "States",
      task: "Task",
      outcome: "Outcome",
      agent: "Agent",
      trace: "Trace",
      evidence: "Evidence",
      shared: "Shared with",
      place: "In the log",
      hash: "Hash",
      prev: "After",
      id: "Id",
    },
    line: (seq: number) => `Line ${seq}`,
    versions: "Versions",
    noVersions: "This is the only version.",
    earlier: "Replaced",
    later: "Replaced by",
    recalls: "Where it was used",
    noRecalls: "It was not put into a prompt yet.",
    recalledFor: (query: string) => `for “${query}”`,
  },

  edit: {
    label: "Better text",
    hint: "Saving makes a new version. The old one stays in the log and in the versions below.",
    save: "Save new version",
    saving: "Saving…",
    cancel: "Cancel",
    saved: "The new version is saved",
    same: "This is what is known already",
  },

  forget: {
    title: "Forget this for good?",
    description:
      "This cannot be undone. The words leave the log, the index and every other store; only the note that something " +
      "was forgotten stays.",
    planning: "Looking what would go…",
    plan: (count: number) => (count === 1 ? "This goes:" : `These ${count} go, because they hold its words:`),
    confirm: (count: number) => (count === 1 ? "Forget it" : `Forget all ${count}`),
    forgetting: "Forgetting…",
    cancel: "Keep it",
    done: (count: number) => `Forgot ${memories(count)}`,
  },

  ...memoryKeeping,
});
