/** The texts of the Guard page: its parts, its words, its decisions. */

import { byName, locale, words } from "../../locale/words";
import type { GuardCounts, GuardEntry, GuardExplained } from "../../wire/generated";

const decisions = (count: number): string => (count === 1 ? "1 decision" : `${count.toLocaleString(locale())} decisions`);

export const guardStrings = words("guard", {
  tabs: {
    label: "Parts of Guard",
    decisions: "Decisions",
    rules: "Rules",
    explain: "Explain",
    hosts: "Agents",
  },

  verdicts: {
    denied: "Denied",
    asked: "Asked",
    changed: "Changed",
    passed: "Let through",
    fault: "Fault",
  } satisfies Record<GuardEntry["verdict"], string>,

  judged: {
    allow: "Allow",
    pass: "Pass",
    ask: "Ask",
    deny: "Deny",
  } satisfies Record<GuardExplained["decision"], string>,

  clis: byName({
    "claude-code": "Claude Code",
    codex: "Codex",
    gemini: "Gemini CLI",
    copilot: "Copilot CLI",
    paige: "Paige's own agents",
  }),

  events: byName({
    pre_tool: "Before a tool",
    permission_request: "Permission asked",
    post_tool: "After a tool",
    post_tool_failure: "Tool failed",
    prompt_submit: "Prompt",
    session_start: "Session began",
    session_end: "Session ended",
    stop: "Wants to stop",
    subagent_start: "Subagent began",
    subagent_stop: "Subagent wants to stop",
    pre_compact: "Before compacting",
    notification: "Notification",
    fault: "Fault",
  }),

  summary: {
    heading: "The last 30 days",
    loading: "Reading what was decided…",
    failed: "What was decided could not be read",
    details: {
      denied: "stopped with a reason",
      asked: "left to you",
      changed: "sent on with another input or more context",
      passed: "nothing to object to",
      fault: "could not be judged",
    } satisfies Record<keyof GuardCounts, string>,
    partial: "Only the newest of what hooks wrote down is counted.",
    folder: "Hooks write to",
  },

  plot: {
    name: "Where Paige stepped in, by day",
    summary: (count: number) =>
      count === 0 ? "Nothing was stopped or asked in these days." : `${count.toLocaleString(locale())} times in 30 days.`,
    point: (day: string, counts: GuardCounts) =>
      `${day}: ${counts.denied} denied, ${counts.asked} asked, ${counts.changed} changed, ${counts.fault} faults, ` +
      `${counts.passed} let through`,
    columns: ["Day", "Denied", "Asked", "Changed", "Faults", "Let through"],
  },

  list: {
    heading: "Decisions",
    search: "Search decisions",
    placeholder: "Words of a command, a file, a reason or a rule",
    clear: "Clear the search",
    verdict: "Result",
    all: "All",
    chip: (name: string, count: number) => `${name} ${count.toLocaleString(locale())}`,
    more: "More filters",
    filters: {
      cli: "Coding agent",
      session: "Session",
      rule: "Rule",
      event: "Event",
    },
    any: {
      cli: "All agents",
      session: "All sessions",
      rule: "All rules",
      event: "Where something was decided",
      everything: "Every event",
    },
    session: (cli: string, folder: string, last: string) => `${cli}${folder === "" ? "" : `, ${folder}`}, ${last}`,
    live: "Live",
    pause: "Pause",
    goOn: "Go on",
    paused: "Paused: new decisions wait until you go on.",
    count: (shown: number, total: number) =>
      shown === total ? `${decisions(total)}, the newest first` : `The newest ${shown} of ${decisions(total)}`,
    fresh: (count: number) => (count === 1 ? "1 is new since you came." : `${count} are new since you came.`),
    isNew: "New",
    showMore: "Show more",
    loading: "Reading decisions…",
    failed: "The decisions could not be read",
    nothing: "Nothing matches.",
    nothingHint: "Try other words, or take a filter away.",
    takeAway: "Take the filters away",
    noSubject: "No command or file",
  },

  row: {
    rule: "Rule",
    noRule: "No rule spoke",
    reason: "Why",
    instead: "Instead",
    tool: "Tool",
    cwd: "In",
    session: "Session",
    agent: "Subagent",
    id: "Id",
    mode: "Permission mode",
    event: "Event",
    at: "When",
    explain: "Explain this command",
    onlyRule: "Show only this rule",
    onlySession: "Show only this session",
    copy: "Copy command",
    copied: "The command is in the clipboard",
    copyFailed: "The command could not be copied",
    copyFailedHint: "The browser allows it only on https or localhost, and only if you agree.",
  },

  empty: {
    title: "No coding agent is guarded yet.",
    lead:
      "Once Paige is installed in a coding agent, every command and every file change is judged before it happens, and " +
      "the decision shows up here at once.",
    steps: [
      { title: "Install it", command: "paige install claude-code", text: "or for `codex`, `gemini` or `copilot`." },
      { title: "See that it holds", command: "paige doctor", text: "sends a harmless event through what was installed." },
      { title: "Work as always", command: "claude", text: "and watch this page." },
    ],
    toHosts: "Install from here",
    toExplain: "Try the rules on a command",
    installed: "Paige is installed and waits for the first command.",
    installedHint: "Start your coding agent in a project and let it do something; it shows up here at once.",
  },
});
