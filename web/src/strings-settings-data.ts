/** The words of what Paige keeps, of the sample, and of how the app looks. */

import { locale, words } from "./locale/words";
import type { KeptFile } from "./wire/generated";

export const settingsDataStrings = words("settingsData", {
  data: {
    heading: "What Paige keeps",
    lead: "Files on this machine that you can read, copy and delete.",
    columns: { what: "What", place: "Where", size: "Size" },
    names: {
      data: "Data folder",
      database: "Database",
      workspace: "Workspace of Plan",
      memory: "Memory log",
      teaching: "Learner files of Study",
      settings: "Your settings file",
      project: "Project of Coach",
      sample: "Sample project",
    } satisfies Record<KeptFile["what"], string>,
    none: "Not there yet",
    elsewhere: "Yours",
    bytes: (bytes: number) => {
      const units = ["byte", "kilobyte", "megabyte", "gigabyte", "terabyte"] as const;
      const step = bytes < 1 ? 0 : Math.min(Math.floor(Math.log10(bytes) / 3), units.length - 1);
      const value = bytes / 1000 ** step;
      const digits = step === 0 || value >= 100 ? 0 : 1;
      const unit = units[step];
      return value.toLocaleString(locale(), { style: "unit", unit, unitDisplay: "short", maximumFractionDigits: digits });
    },
    files: (count: number) => (count === 1 ? "1 file" : `${count.toLocaleString(locale())} files`),
    more: (size: string) => `more than ${size}`,
    free: (size: string) => `${size} free on this disk`,
    loading: "Counting files…",
    failed: "The files could not be counted",
  },

  sample: {
    heading: "Sample",
    lead: "Something to look around in. What you change becomes yours and is never taken away with the sample.",
    badge: "Sample",
    loading: "Looking for the sample…",
    failed: "The sample could not be looked at",
    plan: "Plan: classes and curricula",
    planFiles: (count: number, all: number) => `${count} of ${all} sample files are there as they came.`,
    planNone: "None of its files is there now.",
    planChanged: (count: number) => (count === 1 ? "1 is yours now: you changed it." : `${count} are yours now: you changed them.`),
    planMixed: "Your workspace has files of your own. The sample is not mixed into it.",
    study: "Study: courses",
    studyAbout: "They come with Paige and are always there. What you learn in them is yours.",
    coach: "Coach: a small project with open issues",
    coachInUse: "Paige runs with it now.",
    coachThere: "A copy is there; Paige runs with your own project.",
    coachNone: "There is no copy.",
    coachChanged: (count: number) => (count === 1 ? "You changed 1 file in it." : `You changed ${count} files in it.`),
    add: "Add the sample",
    adding: "Adding…",
    use: "Run with the sample project",
    leave: "Run with my own project",
    remove: "Remove the sample…",
    removeTitle: "Remove the sample?",
    removeText: "Sample files that you did not change are deleted, and the copy of the sample project. Your own files stay.",
    removeLost: (count: number) => (count === 1 ? "1 file you changed in the sample project is deleted, too." : `${count} files you changed in the sample project are deleted, too.`),
    removeConfirm: "Remove",
    removeCancel: "Keep it",
    added: "The sample is there",
    removed: "The sample is gone",
  },

  look: {
    heading: "Tour and language",
    tour: "Start the tour",
    tourAbout: "Five steps through the doors. It can be left at any time.",
  },
});
