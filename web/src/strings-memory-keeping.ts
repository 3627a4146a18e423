/** The texts of the documents and the policies on the Memory page. */

import { words } from "./locale/words";
import type { MemoryOutcomes } from "./wire/generated";

const places = (count: number): string => (count === 1 ? "one place" : `${count} places`);
const lines = (count: number): string => (count === 1 ? "1 line" : `${count} lines`);

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
