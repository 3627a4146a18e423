/** The texts of the coding agents that Paige can be installed in. */

import { words } from "../../locale/words";
import type { GuardFileChange, GuardPlan } from "../../wire/generated";

export const guardHostsStrings = words("guardHosts", {
  loading: "Looking at your coding agents…",
  failed: "The coding agents could not be looked at",
  lead:
    "Installing puts Paige's hooks, tools and skills into the settings of a coding agent. What others wrote there stays, " +
    "and uninstalling leaves the files as they were.",
  states: {
    on: "Guarded",
    off: "Not guarded",
    trouble: "Needs a look",
  },
  found: (version: string) => (version === "" ? "Its program is on this machine." : `Version ${version}`),
  notFound: "Its program was not found on this machine.",
  levels: {
    user: "for all your projects",
    project: "for this project",
  } satisfies Record<GuardPlan["level"], string>,
  installedFor: (where: string) => `Installed ${where}.`,
  and: " and ",
  heard: (when: string) => `Last heard of ${when}.`,
  notHeard: "Not heard of yet.",
  fix: "What to do:",
  where: "Where",
  install: (title: string) => `Install in ${title}…`,
  uninstall: (title: string) => `Uninstall from ${title}…`,
  again: (title: string) => `Install in ${title} again…`,
  terminal: "In a terminal:",
  dialog: {
    install: (title: string, where: string) => `Install in ${title} ${where}?`,
    uninstall: (title: string, where: string) => `Uninstall from ${title} ${where}?`,
    description: "These files change. Nothing has happened yet.",
    planning: "Looking what would change…",
    failed: "It cannot be planned",
    nothing: "Nothing would change: it is as it should be already.",
    kinds: {
      created: "New file",
      changed: "Changed",
      removed: "Deleted",
    } satisfies Record<GuardFileChange["kind"], string>,
    diff: (path: string) => `What changes in ${path}`,
    added: "added",
    removed: "removed",
    noText: "Its text stays as it is.",
    files: (count: number) => (count === 1 ? "1 file" : `${count} files`),
    cancel: "Leave it",
    confirm: { install: "Install", uninstall: "Uninstall" },
    working: { install: "Installing…", uninstall: "Uninstalling…" },
    done: {
      install: (title: string) => `Paige is installed in ${title}`,
      uninstall: (title: string) => `Paige is gone from ${title}`,
    },
  },
});
